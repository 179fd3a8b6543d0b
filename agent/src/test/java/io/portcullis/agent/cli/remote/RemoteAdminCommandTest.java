package io.portcullis.agent.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests admin commands against a server whose responses the test sets. */
class RemoteAdminCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> orders = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(String path, int status, String body) {
    answer(path, status, () -> body);
  }

  private void answer(String path, int status, Supplier<String> body) {
    server.createContext(
        path,
        exchange -> {
          String told =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          orders.add(exchange.getRequestURI() + " " + told);
          byte[] bytes = body.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  private void hasRole(String role) {
    statusIs(() -> status(role, "b-2"));
  }

  private void statusIs(Supplier<String> body) {
    answer("/api/status", 200, body);
  }

  private static String status(String role, String leader) {
    return """
        {"node": "a-1", "elections": {"writer": {"role": "%s", "leader": "%s", "epoch": 7,
          "leaderAddress": "http://10.0.0.8:8080",
          "leaseRemainingMillis": 0, "heartbeatAgeMillis": 300, "since": "2026-01-01T00:00:00Z",
          "why": "told"}}}
        """
        .formatted(role, leader);
  }

  private int run(AdminCommand command, String... arguments) {
    String[] all = new String[arguments.length + 1];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "127.0.0.1:" + server.getAddress().getPort();
    return new CommandLine(
            RemoteAdminCommand.of(
                command,
                file -> {
                  throw new IllegalStateException("no configuration is needed");
                }))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }

  @Test
  void optionsBecomeTheRequestBody() {
    answer("/api/drain", 202, "{\"next\": \"it will\"}");
    answer("/api/step-down", 202, "{\"next\": \"it will\"}");
    answer("/api/resume", 202, "{\"next\": \"it will\"}");
    hasRole("DRAINED");

    assertThat(run(AdminCommand.DRAIN)).isZero();
    assertThat(run(AdminCommand.DRAIN, "--seconds", "5", "--election", "writer")).isZero();
    assertThat(run(AdminCommand.STEP_DOWN, "--to", "b")).isZero();

    assertThat(orders)
        .contains(
            "/api/drain {\"seconds\":30}",
            "/api/drain {\"election\":\"writer\",\"seconds\":5}",
            "/api/step-down {\"to\":\"b\"}");
  }

  @Test
  void nextStepOfTheNodeIsPrinted() {
    answer("/api/step-down", 202, "{\"next\": \"The node was not leading (STANDBY).\"}");
    hasRole("STANDBY");

    assertThat(run(AdminCommand.STEP_DOWN)).isZero();

    assertThat(out.toString()).startsWith("The node was not leading (STANDBY).").contains("NODE ");
  }

  @Test
  void drainEndsWithTheNewLeader() {
    answer("/api/drain", 202, "{\"next\": \"it will\"}");
    hasRole("DRAINED");

    assertThat(run(AdminCommand.DRAIN, "--wait")).isZero();

    assertThat(out.toString().lines().reduce((first, last) -> last))
        .contains("Election writer is led by b-2 at http://10.0.0.8:8080 now.");
    assertThat(orders).contains("/api/drain {\"seconds\":30}");
  }

  @Test
  void drainThatWaitsEndsOnlyWhenAnotherNodeLeads() {
    answer("/api/drain", 202, "{\"next\": \"it will\"}");
    AtomicInteger requests = new AtomicInteger();
    statusIs(() -> status("DRAINED", requests.incrementAndGet() < 3 ? "a-1" : "b-2"));

    assertThat(run(AdminCommand.DRAIN, "--wait")).isZero();

    assertThat(requests).hasValueGreaterThanOrEqualTo(3);
    assertThat(out.toString()).contains("Election writer is led by b-2");
  }

  @Test
  void drainWithoutASuccessorSaysSo() {
    answer("/api/drain", 202, "{\"next\": \"it will\"}");
    statusIs(() -> status("DRAINED", "a-1"));

    assertThat(run(AdminCommand.DRAIN)).isZero();

    assertThat(out.toString()).contains("No other node is known to lead election writer yet.");
  }

  @Test
  void refusalIsPrintedWithItsReason() {
    answer("/api/step-down", 409, "{\"error\": \"no such member\"}");

    assertThat(run(AdminCommand.STEP_DOWN, "--to", "x")).isEqualTo(1);

    assertThat(err.toString()).contains("refuses: no such member");
  }

  @Test
  void missingOrWrongTokenIsExplained() {
    answer("/api/drain", 401, "{\"error\": \"This needs the admin token.\"}");

    assertThat(run(AdminCommand.DRAIN)).isEqualTo(1);

    assertThat(err.toString()).contains("the admin token. Name the file").contains("--token-file");
  }

  @Test
  void reloadPrintsOutcomeOrAllProblems() {
    answer("/api/reload", 200, "{\"outcome\": \"In force: 2 rules.\", \"problems\": []}");
    assertThat(run(AdminCommand.RELOAD)).isZero();
    assertThat(out.toString()).contains("In force: 2 rules.");
    assertThat(orders).containsExactly("/api/reload {}");

    server.removeContext("/api/reload");
    answer("/api/reload", 422, "{\"outcome\": \"Refused.\", \"problems\": [\"agent.conf:3: no\"]}");
    assertThat(run(AdminCommand.RELOAD)).isEqualTo(1);
    assertThat(err.toString()).contains("refuses: Refused. agent.conf:3: no");
  }

  @Test
  void optionOfAnotherCommandIsRefused() {
    assertThat(run(AdminCommand.RELOAD, "--seconds", "3")).isEqualTo(2);
    assertThat(run(AdminCommand.RESUME, "--to", "b")).isEqualTo(2);
  }
}
