package io.portcullis.it.operations;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.RedisCommand;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Secrets in every place of a configuration that accepts one are shown in no output. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class SecretsIT {
  /** Part of every secret of this test. */
  private static final String MARKER = "MARKER-5f3a9c";

  private static final String TOKEN = MARKER + "-admin-token";
  private static final String KEY = "portcullis:ledger:writer";
  private static final String RECORD = "{" + KEY + "}:lease";

  /** Secrets in environment variables, for the service and for commands. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "PORTCULLIS__fence__main__password",
          MARKER + "-fence",
          "PORTCULLIS__elections__spare__redis__password",
          MARKER + "-redis",
          "PORTCULLIS__elections__votes__quorum__other_secret",
          MARKER + "-other-quorum-secret");

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private String healthCheck() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    stage.opened(() -> server.stop(0));
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/health";
    return url + "?token=" + MARKER + "-health&k=" + MARKER + "-health2";
  }

  private String secretFile(String name) throws IOException {
    Path file = stage.folder("secret").resolve(name);
    return "\"" + Files.writeString(file, MARKER + "-" + name) + "\"";
  }

  private AgentConf configure(RedisServer redis, PostgresServer postgres) throws IOException {
    RedisCommand.run(redis, "ACL SETUSER me on >" + MARKER + "-redis ~* &* +@all");
    postgres.execute("create role installer login");
    postgres.execute("grant create on database postgres to installer");
    String uri = redis.uri().replace("redis://", "redis://me:" + MARKER + "-redis@");
    String members =
        "a = \"127.0.0.1:%d\", b = \"127.0.0.1:%d\", c = \"127.0.0.1:%d\""
            .formatted(LoopbackPort.free(), LoopbackPort.free(), LoopbackPort.free());
    return AgentConf.redis(uri, Duration.ofSeconds(8))
        .rule("{ id = append, match = \"com.acme.ledger.Ledger#append(..)\", election = writer }")
        .set("elections.writer.eligible-when", "{ http = \"" + healthCheck() + "\" }")
        .set(
            "elections.spare",
            "{ backend = redis, redis { uri = \"" + redis.uri() + "\", username = me } }")
        .set(
            "elections.votes",
            "{ backend = quorum, quorum { self = a, members { "
                + members
                + " }, data-dir = \""
                + stage.folder("votes")
                + "\", secret-file = "
                + secretFile("quorum-secret")
                + " } }")
        .set(
            "elections.row",
            "{ backend = postgres, postgres { url = \""
                + postgres.url()
                + "\", user = installer, password-file = "
                + secretFile("password")
                + " } }")
        .set(
            "fences",
            "[ { id = main, election = writer, user = installer, url = \""
                + postgres.url()
                + (postgres.url().contains("?") ? "&" : "?")
                + "sslpassword="
                + MARKER
                + "-key\" } ]")
        .set("http.admin-token-file", secretFile("admin-token"))
        .set("log.level", "debug");
  }

  @Test
  void markerSecretsAreShownNowhere() throws IOException, InterruptedException, JMException {
    RedisServer redis = stage.redis();
    PostgresServer postgres = stage.postgres();
    AgentConf conf = configure(redis, postgres);
    JvmLauncher launch =
        JvmLauncher.demoService("a", stage.folder("a").resolve("journal.log")).conf(conf);
    ENVIRONMENT.forEach(launch::env);
    ServiceJvm jvm = stage.start("a", launch);
    Awaitility.await()
        .atMost(MAX_WAIT)
        .until(
            () ->
                jvm.get("/leader/writer").status() == 200
                    && jvm.get("/leader/spare").status() == 200);

    Map<String, String> outputs = new LinkedHashMap<>();
    for (String path :
        List.of("/", "/api/status", "/metrics", "/healthz", "/readyz", "/leader", "/unknown")) {
      outputs.put(path, jvm.get(path).body());
    }
    outputs.put("diagnostics", jvm.sendWithToken("GET", "/api/diagnostics", TOKEN, "").body());
    try (JmxConnection jmx = JmxConnection.to(jvm)) {
      ObjectName agent = new ObjectName("io.portcullis:type=Agent");
      Awaitility.await().atMost(MAX_WAIT).until(() -> jmx.has(agent));
      outputs.put("JMX", jmx.allAttributes());
      outputs.put("diagnostics by JMX", String.valueOf(jmx.invoke(agent, "diagnostics")));
    }
    Path file = Files.writeString(stage.folder("conf").resolve("agent.conf"), conf.text());
    outputs.put("check", command("check", file.toString()));
    outputs.put("fence-sql", command("fence-sql", file.toString()));
    outputs.put("status", command("status", jvm.agentUrl()));
    outputs.put("key", RedisCommand.run(redis, "GET " + KEY));
    outputs.put(
        "record",
        RedisCommand.run(
            redis,
            "EVAL \"return table.concat(redis.call('HGETALL', KEYS[1]), ' ')\" 1 " + RECORD));
    outputs.put(
        "fence",
        postgres.query("select string_agg(f::text, '') from portcullis.portcullis_fence f"));
    outputs.put("stdout and stderr", jvm.output().all());

    assertThat(outputs.get("diagnostics")).contains("/health?***");
    assertThat(outputs.get("JMX")).contains("LEADER");
    assertThat(outputs.get("check")).contains("can be used");
    assertThat(outputs.get("fence-sql")).contains("CREATE TABLE");
    assertThat(outputs.get("status")).contains("LEADER");
    assertThat(outputs.get("record")).contains("holder");
    assertThat(outputs.get("fence")).contains("ledger:writer");
    assertThat(outputs).allSatisfy((place, text) -> assertThat(text).isNotEmpty());
    assertThat(outputs).allSatisfy((place, text) -> assertThat(text).doesNotContain(MARKER));
  }

  private String command(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Jdks.tool(Jdks.running(), "java"), "-jar"));
    command.add(Artifacts.agent().toString());
    command.addAll(List.of(words));
    CommandResult done = CommandResult.run(stage.folder("command"), ENVIRONMENT, command);
    return done.stdout() + done.stderr();
  }
}
