package io.portcullis.it.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.AgentResponse;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HttpIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final int HALF_SENT = 50;

  /** The agent disconnects clients whose request is incomplete after 10 s. */
  private static final Duration HALF_SENT_LIMIT = Duration.ofSeconds(9);

  @RegisterExtension static final TestEnvironment STAGE = TestEnvironment.shared();

  private static ServiceJvm leader;
  private static ServiceJvm standby;

  @BeforeAll
  static void startNodes() throws IOException {
    RedisServer redis = STAGE.redis();
    Path journal = STAGE.folder("journal").resolve("journal.log");
    leader =
        STAGE.start(
            "a",
            JvmLauncher.demoService("a", journal)
                .conf(AgentConf.ledger(redis.uri(), LEASE).set("http.ready-when", "leader")));
    leader.awaitRole("LEADER");
    standby =
        STAGE.start(
            "b", JvmLauncher.demoService("b", journal).conf(AgentConf.ledger(redis.uri(), LEASE)));
    standby.awaitRole("STANDBY");
    standby.awaitLog("new leader");
  }

  @Test
  void probesDistinguishLeaderAndStandby() throws IOException, InterruptedException {
    assertThat(leader.get("/healthz").status()).isEqualTo(200);
    assertThat(leader.get("/readyz").status()).isEqualTo(200);
    assertThat(leader.get("/leader").status()).isEqualTo(200);
    assertThat(leader.get("/leader/writer").status()).isEqualTo(200);
    assertThat(standby.get("/healthz").status()).isEqualTo(200);
    assertThat(standby.get("/readyz").status()).isEqualTo(200);
    assertThat(standby.get("/leader").status()).isEqualTo(503);
    assertThat(standby.get("/leader/writer").status()).isEqualTo(503);
  }

  @Test
  void everyProbeResponseHasTheDocumentedFields() throws IOException, InterruptedException {
    for (String path : List.of("/healthz", "/readyz", "/leader", "/leader/writer", "/api/status")) {
      JsonNode body = leader.get(path).json();
      JsonNode writer = body.path("elections").path("writer");

      assertThat(body.path("node").asText()).as(path).matches("a-\\d+-[0-9a-f-]+");
      assertThat(body.path("service").asText()).as(path).isEqualTo("ledger");
      assertThat(body.path("version").asText()).as(path).isNotEmpty();
      assertThat(body.path("mode").asText()).as(path).isEqualTo("enforce");
      assertThat(writer.path("role").asText()).as(path).isEqualTo("LEADER");
      assertThat(writer.path("leader")).as(path).isEqualTo(body.path("node"));
      assertThat(writer.has("leaderAddress")).as(path).isTrue();
      assertThat(writer.path("epoch").isIntegralNumber()).as(path).isTrue();
      assertThat(writer.path("leaseRemainingMillis").asLong())
          .as(path)
          .isPositive()
          .isLessThanOrEqualTo(LEASE.toMillis());
      assertThat(writer.path("heartbeatAgeMillis").isIntegralNumber()).as(path).isTrue();
      assertThat(writer.path("stale").isBoolean()).as(path).isTrue();
      assertThat(writer.path("backend").asText()).as(path).isEqualTo("redis");
      assertThat(Instant.parse(writer.path("since").asText())).as(path).isBefore(Instant.now());
      assertThat(writer.path("why").asText()).as(path).isNotEmpty();
    }
  }

  @Test
  void statusContainsRulesAndTransitions() throws IOException, InterruptedException {
    leader.write();
    JsonNode status = leader.status().json();
    JsonNode rule = status.path("rules").get(0);

    assertThat(rule.path("id").asText()).isEqualTo("append");
    assertThat(rule.path("match").asText()).isEqualTo("com.acme.ledger.Ledger#append(..)");
    assertThat(rule.path("action").asText()).isEqualTo("throw");
    assertThat(rule.path("state").asText()).isEqualTo("ARMED");
    assertThat(rule.path("wovenMethods").asInt()).isEqualTo(1);
    assertThat(rule.path("passed").asLong()).isPositive();
    assertThat(rule.path("blocked").isIntegralNumber()).isTrue();
    assertThat(rule.has("hint")).isTrue();
    assertThat(status.path("transitions")).isNotEmpty();
  }

  @Test
  void metricsShowLeaderAndPassedCalls() throws IOException, InterruptedException {
    leader.write();
    standby.write();

    assertThat(leader.get("/metrics").body())
        .containsPattern("(?m)^portcullis_is_leader\\{election=\"writer\"} 1(\\.0)?$")
        .containsPattern("(?m)^portcullis_calls_passed_total\\{[^}]*rule=\"append\"[^}]*} [1-9]")
        .contains("portcullis_epoch{", "portcullis_state{", "portcullis_leader_info{")
        .contains("portcullis_lease_remaining_seconds{", "portcullis_heartbeat_age_seconds{")
        .contains("portcullis_rule_state{", "portcullis_elections_total{")
        .contains("portcullis_leader_acquired_total{", "portcullis_acquire_attempts_total{")
        .contains("portcullis_acquire_seconds_bucket{", "portcullis_renew_seconds_bucket{");
    assertThat(standby.get("/metrics").body())
        .containsPattern("(?m)^portcullis_is_leader\\{election=\"writer\"} 0(\\.0)?$")
        .containsPattern("(?m)^portcullis_calls_blocked_total\\{[^}]*rule=\"append\"[^}]*} [1-9]");
  }

  @Test
  void headResponseEqualsGetWithoutBody() throws IOException, InterruptedException {
    AgentResponse onLeader = leader.send("HEAD", "/leader");
    AgentResponse onStandby = standby.send("HEAD", "/leader");

    assertThat(onLeader.status()).isEqualTo(200);
    assertThat(onStandby.status()).isEqualTo(503);
    assertThat(onLeader.body()).isEmpty();
  }

  @Test
  void unknownPathsReturn404AndWrongMethods405() throws IOException, InterruptedException {
    assertThat(leader.get("/no/such").status()).isEqualTo(404);
    assertThat(leader.get("/leader/no-such").status()).isEqualTo(404);
    assertThat(leader.send("POST", "/leader").status()).isEqualTo(405);
    assertThat(leader.get("/api/drain").status()).isEqualTo(405);
    assertThat(leader.get("/healthz?verbose").status()).isEqualTo(200);
  }

  @Test
  void adminCommandsAreForbiddenWithoutConfiguredToken() throws IOException, InterruptedException {
    for (String path : List.of("/api/drain", "/api/resume", "/api/step-down", "/api/reload")) {
      assertThat(leader.send("POST", path).status()).as(path).isEqualTo(403);
    }
    assertThat(leader.leads()).isTrue();
  }

  @Test
  void incompleteRequestsDoNotBlockOthers() throws IOException, InterruptedException {
    URI agent = URI.create(leader.agentUrl());
    List<Socket> half = new ArrayList<>();
    try {
      for (int i = 0; i < HALF_SENT; i++) {
        Socket socket = new Socket(agent.getHost(), agent.getPort());
        socket
            .getOutputStream()
            .write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: ".getBytes(UTF_8));
        half.add(socket);
      }

      AgentResponse reply = leader.get("/healthz");

      assertThat(reply.status()).isEqualTo(200);
      assertThat(Duration.ofNanos(reply.receivedNanos() - reply.sentNanos()))
          .isLessThan(HALF_SENT_LIMIT);
    } finally {
      for (Socket socket : half) {
        socket.close();
      }
    }
  }

  @Test
  void endlessRequestIsDisconnected() throws IOException, InterruptedException {
    URI agent = URI.create(leader.agentUrl());
    byte[] header = ("X-Long: " + "x".repeat(1_000) + "\r\n").getBytes(UTF_8);

    try (Socket socket = new Socket(agent.getHost(), agent.getPort())) {
      socket.setSoTimeout(20_000);
      boolean cut = false;
      socket.getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes(UTF_8));
      try {
        for (int sent = 0; sent < 1_000; sent++) {
          socket.getOutputStream().write(header);
        }
        InputStream answer = socket.getInputStream();
        cut = !new String(answer.readAllBytes(), UTF_8).startsWith("HTTP/1.1 200");
      } catch (SocketException e) {
        cut = true;
      }

      assertThat(cut).isTrue();
    }
    assertThat(leader.get("/healthz").status()).isEqualTo(200);
  }
}
