package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.agent.config.hocon.ConfigSource;
import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.backend.quorum.QuorumBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An election with {@code backend = quorum}, read by the agent as its operator writes it. */
class QuorumSectionTest {
  private static final String SECRET = "a-secret-of-the-members";
  private static final String RIGHT =
      """
      portcullis {
        service = orders
        elections { writer {
          backend = quorum
          quorum {
            members { c = "10.0.0.9:7400", a = "10.0.0.7:7400", b = "[fd00::8]:7400" }
            secret-file = secret
            data-dir = "/var/lib/portcullis"
            listen = "0.0.0.0:7400"
          }
        } }
        rules = [ { id = orders, match = "com.acme.OrderStore#save(..)" } ]
      }
      """;

  @TempDir Path folder;

  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();

  private AgentConfig load(String file) {
    try {
      Files.writeString(folder.resolve("agent.conf"), file);
      Files.writeString(folder.resolve("secret"), SECRET + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return AgentConfig.load(
        new ConfigSource(null, environment, properties, folder, "host"),
        BackendRegistry.of(List.of(new QuorumBackend())));
  }

  @Test
  void sameFileServesAllNodesThatSetSelf() {
    environment.put("PORTCULLIS__elections__writer__quorum__self", "b");

    AgentConfig config = load(RIGHT);

    assertThat(config.elections().get(0).plan().describe())
        .isEqualTo(
            "quorum of 3 members (a at 10.0.0.7:7400, b at [fd00::8]:7400, c at 10.0.0.9:7400),"
                + " this is b, listens at 0.0.0.0:7400, authenticates with a shared secret,"
                + " votes in /var/lib/portcullis");
    assertThat(config.files().warnings()).isEmpty();
    assertThat(config.files().effective().stream().map(Objects::toString))
        .contains(
            "portcullis.elections.writer.quorum.members.c = 10.0.0.9:7400  # agent.conf:6",
            "portcullis.elections.writer.quorum.secret-file = secret  # agent.conf:7",
            "portcullis.elections.writer.timing.lease = 10s  # default")
        .noneMatch(line -> line.contains(SECRET));
  }

  @Test
  void memberAddressCanBeOverridden() {
    properties.put("portcullis.elections.writer.quorum.self", "a");
    properties.put("portcullis.elections.writer.quorum.members.a", "127.0.0.1:7501");
    environment.put("PORTCULLIS__elections__writer__quorum__members__b", "127.0.0.1:7502");

    assertThat(load(RIGHT).elections().get(0).plan().describe())
        .contains("(a at 127.0.0.1:7501, b at 127.0.0.1:7502, c at 10.0.0.9:7400)");
  }

  @Test
  void secretsFromTheEnvironmentAreNotShown() {
    properties.put("portcullis.elections.writer.quorum.self", "a");
    environment.put("PORTCULLIS__elections__writer__quorum__secret", "another-secret-of-them");
    environment.put("PORTCULLIS__elections__writer__quorum__other_secret_file", "secret");

    AgentConfig config = load(RIGHT);

    assertThat(config.elections().get(0).plan().describe()).contains("two shared secrets");
    assertThat(config.files().effective() + config.elections().toString())
        .doesNotContain(SECRET)
        .doesNotContain("another-secret-of-them");
  }

  @Test
  void allProblemsAreReportedAtOnceWithTheirPlaces() {
    String wrong =
        RIGHT
            .replace("c = \"10.0.0.9:7400\", ", "")
            .replace("[fd00::8]:7400", "10.0.0.8")
            .replace("secret-file = secret", "secret = open, tls { cert = none }");
    properties.put("portcullis.elections.writer.quorum.self", "x");
    properties.put("portcullis.elections.writer.timing.renew", "5s");

    InvalidConfigException e =
        catchThrowableOfType(InvalidConfigException.class, () -> load(wrong));

    assertThat(e.problems().stream().map(Object::toString))
        .hasSize(8)
        .anyMatch(line -> line.startsWith("agent.conf:6: ") && line.contains("names only 2"))
        .anyMatch(line -> line.startsWith("agent.conf:6: ") && line.contains(".members.b = 10.0"))
        .anyMatch(line -> line.contains("quorum.secret = ***: a secret must not be set in a file"))
        .anyMatch(line -> line.contains("quorum.tls.cert = none: names a file that can't be read"))
        .anyMatch(line -> line.contains("quorum.tls.key: is missing; TLS needs all"))
        .anyMatch(line -> line.contains("quorum.tls.ca: is missing; TLS needs all"))
        .anyMatch(
            line -> line.startsWith("system property") && line.contains("none of the members"))
        .anyMatch(line -> line.contains("timing.renew = 5s: is 5s; it must be at most a third"));
  }

  @Test
  void missingVariableIsTheOnlyProblemAndNamesItsKey() {
    String unset =
        RIGHT
            .replace("quorum {", "quorum {\n self = ${NODE}")
            .replace("listen = \"0.0.0.0:7400\"", "");

    InvalidConfigException e =
        catchThrowableOfType(InvalidConfigException.class, () -> load(unset));

    assertThat(e.problems())
        .singleElement()
        .asString()
        .startsWith("agent.conf:")
        .endsWith(
            ": portcullis.elections.writer.quorum.self: ${NODE} is neither a key of this file nor"
                + " an environment variable; set it, or write ${?NODE} if it may be missing");
  }

  @Test
  void twoElectionsCannotListenOnOneAddress() {
    properties.put("portcullis.elections.writer.quorum.self", "a");
    properties.put("portcullis.elections.reader.quorum.self", "a");
    String section = RIGHT.substring(RIGHT.indexOf("writer {"), RIGHT.indexOf("} }\n"));
    String both = RIGHT.replace("writer {", section.replace("writer", "reader") + "}\nwriter {");

    InvalidConfigException e = catchThrowableOfType(InvalidConfigException.class, () -> load(both));

    assertThat(e.problems().stream().map(Object::toString))
        .anyMatch(
            line -> line.contains("would write the same lease") && line.contains("quorum 0."));
  }
}
