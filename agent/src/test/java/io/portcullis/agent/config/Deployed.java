package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.ConfigFile;
import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigProblems;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.ReferenceConfig;
import io.portcullis.agent.config.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files in deploy/kubernetes, read like the cluster and the agent read them. */
final class Deployed {
  static final Path FOLDER = Path.of("..", "deploy", "kubernetes");
  static final String ELECTION = "writer";

  /** Values that the Deployment sets by the downward API. */
  static final Map<String, String> VARIABLES =
      Map.of("POD_NAME", "ledger-5d9c-x7k2p", "POD_IP", "10.1.2.3");

  private static final Path REFERENCE =
      Path.of(
          "../backends/kubernetes/src/main/resources",
          "io/portcullis/backend/kubernetes/reference.conf");

  final ConfigProblems problems = new ConfigProblems(new Secrets());
  final ConfigSection conf;
  private final ConfigSection agent = ReferenceConfig.nextTo(AgentConfig.class);

  Deployed() {
    ConfigSource source = new ConfigSource("agent.conf", VARIABLES, Map.of(), FOLDER, "host");
    ConfigFile file =
        ConfigFile.read(
            source, List.copyOf(agent.section("portcullis").children().keySet()), problems);
    if (file == null) {
      throw new AssertionError(problems.list().toString());
    }
    this.conf = file.portcullis();
  }

  /** Every resource of the cluster, except the ConfigMap that kustomize generates. */
  static List<Yaml> resources() {
    return kustomization().texts("resources").stream()
        .flatMap(name -> read(name).stream())
        .toList();
  }

  static Yaml kustomization() {
    return read("kustomization.yaml").get(0);
  }

  static Yaml one(String kind, String name) {
    List<Yaml> found =
        resources().stream()
            .filter(each -> each.text("kind").equals(kind))
            .filter(each -> each.text("metadata", "name").equals(name))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of " + kind + " " + name);
    }
    return found.get(0);
  }

  static List<Yaml> read(String name) {
    try {
      return Yaml.read(FOLDER.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ConfigSection election() {
    return conf.section("elections").section(ELECTION);
  }

  String service() {
    return text(conf, "service");
  }

  /** A setting of the agent: from the file, else its default. */
  String setting(String section, String key) {
    ConfigSection set = conf.section(section);
    return set.get(key) == null
        ? text(agent.section("portcullis").section(section), key)
        : text(set, key);
  }

  /** A duration of the election: from the file, else its default, else {@code otherwise}. */
  Duration length(String section, String key, Duration otherwise) {
    for (ConfigSection each : List.of(election(), electionReference())) {
      ConfigSection in = section.isEmpty() ? each : each.section(section);
      ConfigNode node = in.get(key);
      if (node != null && !node.isUnset()) {
        return Duration.parse("PT" + String.valueOf(node.written()).replace(" ", ""));
      }
    }
    return otherwise;
  }

  /** All keys of the election, including those of the backend. */
  ConfigSection electionReference() {
    return agent.section("election").with(backendReference());
  }

  private static ConfigSection backendReference() {
    try {
      return ReferenceConfig.parse(Files.readString(REFERENCE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ConfigSection agentReference(String section) {
    return agent.section(section);
  }

  static String text(ConfigSection section, String key) {
    @Nullable ConfigNode node = section.get(key);
    if (node == null) {
      throw new AssertionError(section.path() + " has no " + key);
    }
    return String.valueOf(node.written());
  }

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }
}
