package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.agent.extension.ExtensionShelf;
import io.portcullis.backend.postgres.fence.PostgresFenceKind;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.fence.FenceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** One configuration on trial: its files, variables and properties. */
final class Trial {
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
  private ExtensionShelf shelf = new ExtensionShelf();

  Trial(Path folder) {
    this.folder = folder;
  }

  Trial file(String text) {
    return file("agent.conf", text);
  }

  Trial file(String name, String text) {
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
  Trial election(String lines) {
    return file(
        "portcullis {\nservice = orders\nelections { writer {\nbackend = trial\n"
            + "trial.uri = \"trial://localhost\"\n"
            + lines
            + "\n} } }");
  }

  /** A right configuration that begins with these lines. */
  Trial with(String lines) {
    return file(RIGHT.replace("portcullis {", "portcullis {\n" + lines));
  }

  Trial argument(@Nullable String value) {
    argument = value;
    return this;
  }

  Trial hostName(String value) {
    hostName = value;
    return this;
  }

  Trial variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Trial property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  Trial ruleCheck(RuleCheck check) {
    ruleCheck = check;
    return this;
  }

  Trial shelf(ExtensionShelf value) {
    shelf = value;
    return this;
  }

  AgentConfig load() {
    return AgentConfig.load(
        new ConfigSource(argument, environment, properties, folder, hostName),
        backends(),
        ruleCheck,
        shelf);
  }

  private BackendCatalogue backends() {
    BackendCatalogue trial = BackendCatalogue.of(List.of(TrialLoader.backend(folder)));
    return new BackendCatalogue() {
      @Override
      public SortedSet<String> names() {
        return trial.names();
      }

      @Override
      public Backend open(String name) {
        return trial.open(name);
      }

      @Override
      public Optional<FenceKind> fenceKind() {
        return Optional.of(new PostgresFenceKind());
      }
    };
  }

  /** All that is wrong with it, a line each. */
  List<String> problems() {
    assertThatThrownBy(this::load).isInstanceOf(InvalidConfig.class);
    return catchThrowableOfType(InvalidConfig.class, this::load).problems().stream()
        .map(Problem::toString)
        .toList();
  }

  String message() {
    return String.valueOf(catchThrowableOfType(InvalidConfig.class, this::load).getMessage());
  }
}
