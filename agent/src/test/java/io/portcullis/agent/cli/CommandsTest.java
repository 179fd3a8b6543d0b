package io.portcullis.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.BundledBackends;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
  private static final String GOOD =
      """
      portcullis {
        service = orders
        elections { writer { backend = redis, redis.uri = "redis://:s3cret@localhost:6379" } }
        rules = [ { id = save, match = "com.acme.OrderStore#save(..)" } ]
      }
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream outBefore = System.out;
  private final PrintStream errBefore = System.err;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setOut(outBefore);
    System.setErr(errBefore);
  }

  private static int run(String... arguments) {
    return Commands.run(
        arguments, new BundledBackends(name -> CommandsTest.class.getClassLoader()));
  }

  private String check(String config) throws IOException {
    Path file = Files.writeString(folder.resolve("agent.conf"), config);
    return "exit " + run("check", file.toString());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void versionCommandPrintsTheVersion() {
    assertThat(run("version")).isZero();
    assertThat(out()).matches("portcullis \\d+\\.\\d+\\.\\d+\\S*\\R");
    assertThat(run("--version")).isZero();
  }

  @Test
  void checkSummarizesAConfigWithoutSecrets() throws IOException {
    assertThat(check(GOOD)).isEqualTo("exit 0");

    assertThat(out())
        .contains("service orders, mode enforce, can be used")
        .contains("election writer: ")
        .contains("rule save: throw at com.acme.OrderStore#save(..)")
        .doesNotContain("s3cret");
    assertThat(err()).isEmpty();
  }

  @Test
  void checkMentionsTheWaitOfANewRedis() throws IOException {
    assertThat(check(GOOD)).isEqualTo("exit 0");
    assertThat(out())
        .contains("a Redis that has just started grants nothing for up to 32 s (docs/redis.md#");

    assertThat(check(GOOD + "portcullis.elections.writer.redis.new-server = true")).contains("0");
    assertThat(out())
        .contains("an empty Redis grants the lease at once")
        .contains("warning: portcullis.elections.writer: redis.new-server is true");
  }

  @Test
  void checkConnectsOnlyIfTold() throws IOException {
    String config = GOOD.replace("localhost:6379", "127.0.0.1:" + closedPort());
    Path file = Files.writeString(folder.resolve("agent.conf"), config);

    assertThat(run("check", file.toString())).isZero();
    assertThat(out()).doesNotContain("its store");
    assertThat(run("check", "--connect", file.toString())).isEqualTo(1);
    assertThat(out())
        .contains("    its store does not respond: Redis at ")
        .contains("can't be reached")
        .doesNotContain("s3cret");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void checkDoesNotTakePartInAQuorum() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(3));
    String quorum =
        """
        portcullis {
          service = orders
          elections { writer { backend = quorum, quorum {
            members { a = "127.0.0.1:1", b = "127.0.0.1:2", c = "127.0.0.1:3" }, self = a
            secret-file = "%s", data-dir = "%s" } } }
          rules = [ { id = save, match = "com.acme.OrderStore#save(..)" } ]
        }
        """
            .formatted(secret, folder.resolve("votes"));
    Path file = Files.writeString(folder.resolve("agent.conf"), quorum);

    assertThat(run("check", "--connect", file.toString())).as(err()).isZero();

    assertThat(out()).contains("    is not asked: the nodes themselves are its store");
    assertThat(folder.resolve("votes")).doesNotExist();
  }

  @Test
  void fenceSqlPrintsTheSetupSql() throws IOException {
    String fenced =
        GOOD
            + """
            portcullis.fences = [ { id = main, url = "jdbc:postgresql://db/app", user = installer,
              table = ops.fence } ]
            """;
    Path file = Files.writeString(folder.resolve("agent.conf"), fenced);

    assertThat(run("fence-sql", file.toString())).isZero();

    assertThat(out())
        .contains("-- fence main: ")
        .contains("CREATE SCHEMA IF NOT EXISTS \"ops\";")
        .contains("CREATE TABLE IF NOT EXISTS \"ops\".\"fence\" ")
        .contains("CREATE OR REPLACE FUNCTION \"ops\".\"fence_check_2\"(")
        .contains("GRANT SELECT, INSERT, UPDATE ON \"ops\".\"fence\" TO installer;")
        .doesNotContain("s3cret");
    assertThat(err()).isEmpty();
  }

  @Test
  void fenceSqlWithoutFencesPrintsNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("agent.conf"), GOOD);

    assertThat(run("fence-sql", file.toString())).isEqualTo(1);
    assertThat(out()).isEmpty();
    assertThat(err()).contains("agent.conf has no fences.");
  }

  @Test
  void checkReportsAllProblemsAtOnce() throws IOException {
    String bad =
        GOOD.replace("service = orders", "servise = orders")
            .replace("com.acme.OrderStore#save(..)", "com.acme.OrderStore");

    assertThat(check(bad)).isEqualTo("exit 78");

    assertThat(out()).isEmpty();
    assertThat(err())
        .containsPattern("[2-9] problems:")
        .contains("agent.conf")
        .contains("servise")
        .contains("match")
        .doesNotContain("s3cret");
  }

  @Test
  void missingConfigFileIsNamed() {
    String missing = folder.resolve("missing.conf").toString();

    assertThat(run("check", missing)).isEqualTo(78);
    assertThat(err()).contains("1 problem:").contains("missing.conf");
  }

  @Test
  void witnessForANonQuorumBackendIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("witness.conf"), GOOD);

    assertThat(run("witness", file.toString())).isEqualTo(78);
    assertThat(err())
        .contains("1 problem:")
        .contains("portcullis.elections.writer.backend is redis, which needs no witness");
  }

  @Test
  void witnessWithInvalidConfigIsRefused() throws IOException {
    Path file =
        Files.writeString(folder.resolve("witness.conf"), GOOD.replace("service = orders", ""));

    assertThat(run("witness", file.toString())).isEqualTo(78);
    assertThat(err()).contains("witness.conf").contains("service").doesNotContain("s3cret");
  }

  @Test
  void unknownCommandIsRefused() {
    assertThat(run("chekc")).isEqualTo(2);
    assertThat(err()).contains("chekc").contains("check");
  }

  @Test
  void missingCommandListsTheCommands() {
    assertThat(run()).isEqualTo(2);
    assertThat(err()).contains("Name a command.").contains("check").contains("version");
  }

  @Test
  void helpOptionPrintsUsage() {
    assertThat(run("--help")).isZero();
    assertThat(out()).contains("check").contains("version");
    assertThat(run("check", "--help")).isZero();
    assertThat(out()).contains("78");
  }

  @Test
  void commandListDescribesEachInAFullSentence() {
    assertThat(run("--help")).isZero();

    String list = out().substring(out().indexOf("Commands:"));
    for (String command : List.of("check", "witness", "version")) {
      String about = list.substring(list.indexOf("  " + command));
      assertThat(about.lines().takeWhile(line -> line.startsWith("  ")).findFirst())
          .as(command)
          .hasValueSatisfying(line -> assertThat(line).endsWith("."));
    }
    assertThat(run("witness", "--help")).isZero();
    assertThat(out().replaceAll("\\s+", " "))
        .contains("never leads. With it two service nodes suffice.")
        .contains("until it receives SIGTERM.");
  }
}
