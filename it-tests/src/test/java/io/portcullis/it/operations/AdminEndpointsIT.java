package io.portcullis.it.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.AgentResponse;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests admin commands by HTTP, and abusive clients, during a real election. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class AdminEndpointsIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String TOKEN = "f7c3d2a1908b4e55-orders-it";
  private static final int SLOW_CLIENTS = 200;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private Path folder;
  private RedisServer redis;
  private ServiceJvm leader;

  @BeforeEach
  void lead() throws IOException {
    folder = stage.folder("admin");
    put("token", TOKEN + "\n");
    put("rules.conf", "portcullis.rules = [ " + AgentConf.APPEND + " ]\n");
    redis = stage.redis();
    leader = start("a");
    leader.awaitRole("LEADER");
  }

  private ServiceJvm start(String name) throws IOException {
    return stage.start(
        name,
        JvmLauncher.demoService(name, folder.resolve("journal.log"))
            .conf(
                AgentConf.redis(redis.uri(), LEASE)
                        .set("http.admin-token-file", "\"" + folder.resolve("token") + "\"")
                        .text()
                    + "include \""
                    + folder.resolve("rules.conf")
                    + "\"\n"));
  }

  private void put(String name, String text) throws IOException {
    Path fresh = Files.writeString(folder.resolve("fresh"), text);
    Files.move(
        fresh,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private AgentResponse order(ServiceJvm jvm, String path, String body)
      throws IOException, InterruptedException {
    return jvm.sendWithToken("POST", path, TOKEN, body);
  }

  private double renewals() throws IOException, InterruptedException {
    return leader
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("portcullis_renew_seconds_count{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void drainAndResumeMoveLeadershipBackAndForth() throws IOException, InterruptedException {
    ServiceJvm other = start("b");
    other.awaitRole("STANDBY");

    assertThat(order(leader, "/api/drain", "{\"election\": \"writer\", \"seconds\": 5}").status())
        .isEqualTo(202);

    leader.awaitRole("DRAINED");
    other.awaitRole("LEADER");
    assertThat(order(leader, "/api/drain", "").status()).isEqualTo(202);
    assertThat(leader.get("/healthz").status()).isEqualTo(200);

    assertThat(order(leader, "/api/resume", "").status()).isEqualTo(202);
    leader.awaitRole("STANDBY");
    assertThat(order(other, "/api/step-down", "{\"election\": \"writer\"}").status())
        .isEqualTo(202);
    leader.awaitRole("LEADER");
    leader.awaitLog("command=drain by=http from=127.0.0.1");
  }

  @Test
  void onlyTheTokenInTheFileIsAcceptedAndItIsNeverShown() throws IOException, InterruptedException {
    String next = "0a1b2c3d4e5f6789-next";
    assertThat(leader.sendWithToken("POST", "/api/drain", "", "").status()).isEqualTo(401);
    assertThat(leader.sendWithToken("POST", "/api/drain", next, "").status()).isEqualTo(401);

    put("token", next + "\n");

    assertThat(order(leader, "/api/drain", "").status()).isEqualTo(401);
    assertThat(leader.leads()).isTrue();
    assertThat(leader.sendWithToken("POST", "/api/drain", next, "").status()).isEqualTo(202);
    leader.awaitRole("DRAINED");

    put("token", "short");
    assertThat(leader.sendWithToken("POST", "/api/resume", next, "").status()).isEqualTo(503);
    assertThat(leader.output().all()).contains("wrong token").doesNotContain(TOKEN, next);
  }

  @Test
  void reloadResponseContainsTheOutcome() throws IOException, InterruptedException {
    put("rules.conf", "portcullis.rules = [ { id = broken, match = nonsense } ]\n");
    AgentResponse refused = order(leader, "/api/reload", "");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().path("inForce").asBoolean()).isFalse();
    assertThat(refused.json().path("problems")).isNotEmpty();
    assertThat(refused.json().path("problems").get(0).asText()).contains("rules.conf");
    assertThat(leader.status().json().path("rules").findValuesAsText("id"))
        .containsExactly("append");

    put(
        "rules.conf",
        "portcullis.rules = [ { id = append, match = \"com.acme.ledger.Never#comes()\" } ]\n");
    assertThat(order(leader, "/api/reload", "").status()).isEqualTo(422);
    put("rules.conf", "portcullis { mode = observe, rules = [ " + AgentConf.APPEND + " ] }\n");
    assertThat(order(leader, "/api/reload", "").status()).isEqualTo(409);

    put(
        "rules.conf",
        "portcullis.rules = [ "
            + AgentConf.APPEND
            + ", { id = more, match = \"com.acme.ledger.Never#comes()\" } ]\n");
    AgentResponse taken = order(leader, "/api/reload", "{}");

    assertThat(taken.status()).isEqualTo(200);
    assertThat(taken.json().path("inForce").asBoolean()).isTrue();
    assertThat(leader.status().json().path("rules").findValuesAsText("id"))
        .containsExactly("append", "more");
  }

  @Test
  void diagnosticsOverHttpAndJmxContainNoSecrets()
      throws IOException, InterruptedException, JMException {
    assertThat(leader.get("/api/diagnostics").status()).isEqualTo(401);

    AgentResponse reply = leader.sendWithToken("GET", "/api/diagnostics", TOKEN, "");
    JsonNode all = reply.json();

    assertThat(reply.status()).isEqualTo(200);
    assertThat(all.path("elections").path("writer").path("role").asText()).isEqualTo("LEADER");
    assertThat(all.path("rules").findValuesAsText("id")).containsExactly("append");
    assertThat(all.path("transitions")).isNotEmpty();
    assertThat(origin(all, "portcullis.node.id")).contains("PORTCULLIS__node__id");
    assertThat(origin(all, "portcullis.elections.writer.timing.lease")).contains("agent.conf:");
    assertThat(all.path("threads").findValuesAsText("name"))
        .contains("portcullis", "portcullis-http")
        .noneMatch(name -> name.equals("main"));
    assertThat(all.path("versions").path("lettuce").asText()).matches("\\d+\\..*");
    assertThat(all.path("versions").path("java.version").asText()).isNotEmpty();
    assertThat(all.path("agents").get(0).asText())
        .contains("portcullis-agent.jar")
        .doesNotContain("agent.conf");
    assertThat(reply.body()).doesNotContain(TOKEN);
    try (JmxConnection link = JmxConnection.to(leader)) {
      ObjectName agent = new ObjectName("io.portcullis:type=Agent");
      Awaitility.await().atMost(TIMEOUT).until(() -> link.has(agent));
      Object text = link.invoke(agent, "diagnostics");

      assertThat(text).asString().contains("\"threads\":").doesNotContain(TOKEN);
    }
  }

  private static String origin(JsonNode all, String key) {
    return StreamSupport.stream(all.path("config").spliterator(), false)
        .filter(value -> value.path("key").asText().equals(key))
        .map(value -> value.path("origin").asText())
        .findFirst()
        .orElse("(not there)");
  }

  @Test
  void slowClientsDelayNeitherProbesNorRenewals() throws IOException, InterruptedException {
    URI agent = URI.create(leader.agentUrl());
    long epoch = leader.status().epoch();
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * SLOW_CLIENTS; i++) {
        Socket socket = new Socket(agent.getHost(), agent.getPort());
        slow.add(socket);
        String words =
            i % 2 == 0
                ? "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: "
                : "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    .repeat(90); // The response is never read.
        socket.getOutputStream().write(words.getBytes(UTF_8));
      }
      double before = renewals();

      AgentResponse reply = leader.get("/healthz");
      Awaitility.await().atMost(TIMEOUT).until(() -> renewals() >= before + 5);

      assertThat(reply.status()).isEqualTo(200);
      assertThat(leader.leads()).isTrue();
      assertThat(leader.status().epoch()).isEqualTo(epoch);
      assertThat(leader.find(line -> line.contains("lost leadership"))).isEmpty();
      assertThat(order(leader, "/api/drain", "").status()).isEqualTo(202);
      leader.awaitRole("DRAINED");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }
}
