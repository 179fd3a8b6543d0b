package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.agent.config.RuleSection.RuleCheck;
import io.portcullis.agent.config.hocon.ConfigProblems.ConfigProblem;
import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.extension.ExtensionRegistry;
import io.portcullis.backend.postgres.fence.PostgresFenceProvider;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** One configuration on trial: its files, variables and properties. */
final class ConfigFixture {
  /** A configuration in which nothing is wrong. */
  static final String RIGHT =
      """
      portcullis {
        service = orders
        elections {
          writer {
            backend = trial
            trial { uri = "trial://localhost" }
          }
        }
        rules = [
          { id = orders, match = "com.acme.OrderStore#save(..)" }
        ]
      }
      """;

  final Path folder;
  final Map<String, String> environment = new HashMap<>();
  final Map<String, String> properties = new HashMap<>();
  private @Nullable String argument = "agent.conf";
  private String hostName = "host-1";
  private RuleCheck ruleCheck = RuleCheck.NONE;
  private ExtensionRegistry shelf = new ExtensionRegistry();
  private List<Backend> realBackends = List.of();

  ConfigFixture(Path folder) {
    this.folder = folder;
  }

  ConfigFixture file(String text) {
    return file("agent.conf", text);
  }

  ConfigFixture file(String name, String text) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A right configuration with one election of which these lines are a part. */
  ConfigFixture election(String lines) {
    return file(
        "portcullis {\nservice = orders\nelections { writer {\nbackend = trial\n"
            + "trial.uri = \"trial://localhost\"\n"
            + lines
            + "\n} } }");
  }

  /** A right configuration that begins with these lines. */
  ConfigFixture with(String lines) {
    return file(RIGHT.replace("portcullis {", "portcullis {\n" + lines));
  }

  ConfigFixture argument(@Nullable String value) {
    argument = value;
    return this;
  }

  ConfigFixture hostName(String value) {
    hostName = value;
    return this;
  }

  ConfigFixture variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  ConfigFixture property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  ConfigFixture ruleCheck(RuleCheck check) {
    ruleCheck = check;
    return this;
  }

  ConfigFixture shelf(ExtensionRegistry value) {
    shelf = value;
    return this;
  }

  /** Makes the backends of the agent available, besides the one for tests. */
  ConfigFixture withRealBackends() {
    realBackends =
        ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::get).toList();
    return this;
  }

  AgentConfig load() {
    return AgentConfig.load(
        new ConfigSource(argument, environment, properties, folder, hostName),
        backends(),
        ruleCheck,
        shelf);
  }

  private BackendRegistry backends() {
    List<Backend> all = new ArrayList<>(realBackends);
    all.add(FakeBackendLoader.backend(folder));
    BackendRegistry trial = BackendRegistry.of(all);
    return new BackendRegistry() {
      @Override
      public SortedSet<String> names() {
        return trial.names();
      }

      @Override
      public Backend open(String name) {
        return trial.open(name);
      }

      @Override
      public Optional<FenceProvider> fenceKind() {
        return Optional.of(new PostgresFenceProvider());
      }
    };
  }

  /** All that is wrong with it, a line each. */
  List<String> problems() {
    assertThatThrownBy(this::load).isInstanceOf(InvalidConfigException.class);
    return catchThrowableOfType(InvalidConfigException.class, this::load).problems().stream()
        .map(ConfigProblem::toString)
        .toList();
  }

  String message() {
    return String.valueOf(
        catchThrowableOfType(InvalidConfigException.class, this::load).getMessage());
  }
}
