package io.portcullis.agent.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the status command against servers whose responses the test sets. */
class StatusCommandTest {
  private final List<HttpServer> servers = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  private String node(String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/status",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static String status(String node, String role, String why) {
    return """
        {"node": "%s", "service": "orders", "version": "1", "mode": "enforce",
         "elections": {"writer": {"role": "%s", "leader": "a-1", "leaderAddress": null, "epoch": 7,
           "leaseRemainingMillis": 4200, "heartbeatAgeMillis": 300, "backend": "redis",
           "since": "2026-01-01T00:00:00Z", "why": "%s"}}, "rules": [], "transitions": []}
        """
        .formatted(node, role, why);
  }

  private int run(String... arguments) {
    return new CommandLine(
            new StatusCommand(
                file -> {
                  throw new IllegalStateException("no configuration is needed");
                }))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void nodesAreRowsOfOneTable() throws IOException {
    String a = node(status("a-1", "LEADER", "lease acquired"));
    String b = node(status("b-2", "STANDBY", "started"));

    assertThat(run(a, b)).isZero();

    assertThat(out.toString().lines().toList())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("NODE  ADDRESS ");
              assertThat(lines.get(1))
                  .matches("a-1 +http://" + a + " +writer +LEADER +enforce +7 +4.2 s left .*");
              assertThat(lines.get(2))
                  .contains("http://" + b, "STANDBY", "heartbeat 0.3 s ago", "a-1", "started");
            });
  }

  @Test
  void unreachableNodeIsShownWithReasonAndExitCode() throws IOException {
    String a = node(status("a-1", "LEADER", "lease acquired"));

    assertThat(run(a, "127.0.0.1:1")).isEqualTo(1);

    assertThat(out.toString()).contains("a-1", "http://127.0.0.1:1", "can't connect to");
  }

  @Test
  void twoReportedLeadersAreWarnedAbout() throws IOException {
    String a = node(status("a-1", "LEADER", "lease acquired"));
    String b = node(status("b-2", "LEADER", "lease acquired"));

    assertThat(run(a, b)).isEqualTo(1);

    assertThat(out.toString()).contains("these nodes report that they lead: a-1, b-2");
  }

  @Test
  void electionThatNobodyLeadsIsReportedAndHasItsOwnExitCode() throws IOException {
    String a =
        node(
            status("a-1", "CANDIDATE", "no answer")
                .replace("\"a-1\", \"leaderA", "null, \"leaderA"));
    String b = node(status("b-2", "STANDBY", "started"));

    assertThat(run(a)).isEqualTo(3);
    assertThat(out.toString()).contains("Nobody leads election writer.");
    assertThat(run(b)).as("the leader that it names was not asked").isZero();
    assertThat(run(a, b)).as("the leader that it names does not lead").isEqualTo(3);
    assertThat(run("--json", a)).isEqualTo(3);
  }

  @Test
  void nodesWithoutElectionsAreNotLeaderless() throws IOException {
    assertThat(run(node(status("b-2", "OFF", "mode is off")))).isZero();
  }

  @Test
  void rulesThatRefuseNothingAreListed() throws IOException {
    String rules =
        """
        "rules": [{"id": "save", "state": "ARMED", "mode": "enforce", "hint": ""},
          {"id": "typo", "state": "NO_METHOD", "mode": "enforce", "hint": "similar: save()"},
          {"id": "copy", "state": "NOT_NEEDED", "mode": "enforce", "hint": ""},
          {"id": "cron", "state": "ARMED", "mode": "observe", "hint": ""}]""";
    String a = node(status("a-1", "LEADER", "won").replace("\"rules\": []", rules));

    assertThat(run(a)).isZero();

    assertThat(out.toString().lines().skip(2))
        .containsExactly(
            "Not armed on a-1: rule typo is NO_METHOD: similar: save()",
            "Only observed on a-1: cron.");
  }

  @Test
  void observeModeOfANodeIsSaidOnce() throws IOException {
    String a = node(status("a-1", "LEADER", "won").replace("enforce", "observe"));

    assertThat(run(a)).isZero();

    assertThat(out.toString().lines().skip(2))
        .containsExactly("Mode of a-1 is observe: calls are counted, none is refused.");
  }

  @Test
  void nodeTextCannotControlTheTerminal() throws IOException {
    String a = node(status("b-2", "STANDBY", "\\u001b[2Jgone\\nb-2  writer  LEADER"));

    assertThat(run(a)).isZero();

    assertThat(out.toString()).doesNotContain("\u001b").contains("?[2Jgone?b-2");
    assertThat(out.toString().lines()).hasSize(2);
  }

  @Test
  void responseWithoutAgentJsonIsAnError() throws IOException {
    assertThat(run(node("<html>"))).isEqualTo(1);
    assertThat(run(node("{\"elections\": 3}"))).isEqualTo(1);

    assertThat(out.toString()).contains("not an agent's JSON").contains("not like an agent");
  }

  @Test
  void jsonOutputIsOneDocument() throws IOException {
    String a = node(status("a-1", "LEADER", "lease acquired"));

    assertThat(run("--json", a, "127.0.0.1:1")).isEqualTo(1);

    assertThat(out.toString().strip().lines()).hasSize(1);
    assertThat(out.toString())
        .contains("\"address\":\"http://" + a + "\"", "\"node\":\"a-1\"", "\"error\":");
  }

  @Test
  void invalidAddressIsAUsageError() {
    assertThat(run("ftp://x")).isEqualTo(2);
    assertThat(err.toString()).contains("host:port");
  }

  @Test
  void memberWithUnknownAgentAddressIsReported()
      throws IOException, InterruptedException, GeneralSecurityException {
    String members =
        "\"members\": [{\"name\": \"b\", \"address\": \"127.0.0.1:7401\", \"node\": \"b-2\","
            + " \"self\": false}], \"role\"";
    NodeAddress a =
        NodeAddress.parse(node(status("a-1", "LEADER", "won").replace("\"role\"", members)));
    NodeClient client = new NodeClient(SSLContext.getDefault());

    ClusterStatus cluster = ClusterStatus.of(List.of(a), client);
    cluster.addMembers(client);

    assertThat(cluster.rows(Instant.now()))
        .extracting(StatusRow::why)
        .containsExactly("won", "reported by a-1; the address of its agent is unknown, name it");
    assertThat(cluster.isComplete()).isFalse();
  }
}
