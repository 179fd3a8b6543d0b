package io.portcullis.agent.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.backend.postgres.fence.PostgresFenceProvider;
import io.portcullis.election.backend.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A secret under any key of the agent, of a fence or of a backend is not shown. */
class SecretUnderAnyKeyTest {
  private static final String SECRET = "hunter2-Geheim";

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  /** A configuration in which nothing is wrong, with a fence, and the election on this backend. */
  private void fileOn(String backend) {
    String settings =
        switch (backend) {
          case "trial" -> "trial.uri = \"trial://localhost\"";
          case "redis" -> "redis.uri = \"redis://localhost\"";
          case "postgres" -> "postgres { url = \"jdbc:postgresql://h/app\", user = app }";
          case "kubernetes" ->
              "kubernetes { kubeconfig = \"" + folder + "/kube.conf\", namespace = shop }";
          case "quorum" ->
              "quorum { self = a, data-dir = votes, members { a = \"127.0.0.1:7401\","
                  + " b = \"127.0.0.1:7402\", c = \"127.0.0.1:7403\" } }";
          default -> throw new IllegalArgumentException(backend);
        };
    trial.withRealBackends();
    trial.file(
        "kube.conf",
        """
        apiVersion: v1
        kind: Config
        current-context: a
        contexts: [ { name: a, context: { cluster: b, user: c } } ]
        clusters: [ { name: b, cluster: { server: "https://127.0.0.1:1" } } ]
        users: [ { name: c, user: { token: t } } ]
        """);
    trial.file(
        """
        portcullis {
          service = orders
          elections.writer {
            backend = %s
            %s
          }
          rules = [ { id = orders, match = "com.acme.OrderStore#save(..)" } ]
          fences = [ { id = main, url = "jdbc:postgresql://h/app", user = app } ]
        }
        """
            .formatted(backend, settings));
  }

  /** Every key of the agent, of fences and of all backends, as an override can set it. */
  static Stream<Arguments> keys() throws IOException {
    ConfigObject agent = reference(AgentConfig.class, "reference.conf");
    Stream<String> own =
        Stream.of(
                leaves("portcullis.", section(agent, "portcullis")),
                leaves("portcullis.elections.writer.", section(agent, "election")),
                leaves("portcullis.rule.orders.", section(agent, "rule")),
                leaves("portcullis.fence.main.", section(agent, "fence")),
                leaves(
                    "portcullis.fence.main.",
                    reference(PostgresFenceProvider.class, "fence-reference.conf")),
                Stream.of("uri", "key", "replicas", "password", "ca-file", "api-key", "members.a")
                    .map(key -> "portcullis.elections.writer.trial." + key))
            .flatMap(each -> each);
    List<Arguments> all = new ArrayList<>();
    own.forEach(key -> all.add(Arguments.of("trial", key)));
    for (Backend backend : ServiceLoader.load(Backend.class)) {
      leaves("portcullis.elections.writer.", reference(backend.getClass(), "reference.conf"))
          .forEach(key -> all.add(Arguments.of(backend.name(), key)));
    }
    return all.stream();
  }

  private static ConfigObject reference(Class<?> beside, String name) throws IOException {
    try (InputStream in = beside.getResourceAsStream(name)) {
      String text = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
      return ConfigFactory.parseString(text).root();
    }
  }

  private static ConfigObject section(ConfigObject all, String name) {
    return all.toConfig().getObject(name);
  }

  private static Stream<String> leaves(String before, ConfigObject section) {
    return section.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue() instanceof ConfigObject inner && !inner.isEmpty()
                    ? leaves(before + entry.getKey() + ".", inner)
                    : Stream.of(before + entry.getKey()));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void addressWithSecretsUnderAnyKeyShowsNone(String backend, String key) {
    fileOn(backend);
    assertThat(trial.load().service()).as("without an override").isEqualTo("orders");
    for (String value :
        List.of(
            "http://user:" + SECRET + "@h/p",
            "http://h/p?" + SECRET,
            "http://h/p?k=" + SECRET + "&l=1",
            "redis://user:" + SECRET + "@h:6379/0",
            "jdbc:postgresql://user:" + SECRET + "@*/app",
            "jdbc:postgresql://h/app?sslpassword=" + SECRET + "&ssl=true",
            "trial://h/p?api_key=" + SECRET,
            "trial://h/p?access-token=" + SECRET + "#x")) {
      trial.properties.clear();
      trial.environment.clear();
      trial.property(key, value);
      assertThat(shown()).as("property %s = %s", key, value).doesNotContain(SECRET);

      trial.properties.clear();
      String variable = key.replace("portcullis.", "PORTCULLIS.").replace('-', '_');
      trial.variable(variable.replace(".", "__"), value);
      assertThat(shown()).as("variable %s = %s", key, value).doesNotContain(SECRET);
    }
  }

  @Test
  void allBackendsAndFencesAreSearchedForSecrets() throws IOException {
    assertThat(keys().map(each -> each.get()[0] + " " + each.get()[1]))
        .contains(
            "trial portcullis.node.advertise",
            "trial portcullis.fence.main.match",
            "trial portcullis.fence.main.ungated",
            "redis portcullis.elections.writer.redis.uri",
            "postgres portcullis.elections.writer.postgres.url",
            "quorum portcullis.elections.writer.quorum.other-secret",
            "kubernetes portcullis.elections.writer.kubernetes.api-server");
  }

  private String shown() {
    try {
      AgentConfig config = trial.load();
      return config.files().effective() + " " + config + " " + config.files().warnings();
    } catch (InvalidConfigException e) {
      return e.getMessage() + e.problems();
    }
  }
}
