package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests health checks that the test controls, while clients write. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HealthIT {
  /** Much longer than a busy machine delays a renewal. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  /** The endpoint of a health check. */
  private final class HealthEndpoint {
    private final HttpServer server;
    private volatile int status = 200;

    HealthEndpoint() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/health",
          exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
          });
      server.start();
      stage.opened(() -> server.stop(0));
    }

    String check() {
      return "http = \"http://127.0.0.1:" + server.getAddress().getPort() + "/health\"";
    }
  }

  private static AgentConf conf(String redis, String checks) {
    return AgentConf.ledger(redis, LEASE)
        .set("elections.writer.eligible-when", "{ " + checks + ", every = 200ms, timeout = 5s }");
  }

  @Test
  void healthCheckUrlSecretsAreNeverShown() throws IOException, InterruptedException, JMException {
    String secret = "HEALTH-SECRET-42";
    String token = "f7c3d2a1908b4e55-health-it";
    Path tokenFile = Files.writeString(stage.folder("admin").resolve("token"), token);
    String check =
        "http = \"http://127.0.0.1:"
            + LoopbackPort.free()
            + "/health?token="
            + secret
            + "&k="
            + secret
            + "\"";
    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("a").resolve("journal.log"))
                .conf(
                    conf(stage.redis().uri(), check)
                        .set("http.admin-token-file", "\"" + tokenFile + "\"")
                        .text()));
    jvm.awaitRole("INELIGIBLE");
    jvm.awaitLog(line -> line.contains("/health"));

    assertThat(jvm.get("/api/status").body()).contains("/health").doesNotContain(secret);
    assertThat(jvm.get("/metrics").body()).contains("/health").doesNotContain(secret);
    assertThat(jvm.get("/").body()).doesNotContain(secret);
    assertThat(jvm.sendWithToken("GET", "/api/diagnostics", token, "").body())
        .contains("/health?***")
        .doesNotContain(secret);
    try (JmxConnection link = JmxConnection.to(jvm)) {
      ObjectName agent = new ObjectName("io.portcullis:type=Agent");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> link.has(agent));
      assertThat(link.invoke(agent, "diagnostics")).asString().doesNotContain(secret);
    }
    assertThat(jvm.find(line -> line.contains(secret))).isEmpty();
  }

  @Test
  void unhealthyPreferredNodeRequestsNoLeadership() throws IOException, InterruptedException {
    String redis = stage.redis().uri();
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    HealthEndpoint ofA = new HealthEndpoint();
    HealthEndpoint ofB = new HealthEndpoint();
    ServiceJvm a = trial.join("a", conf(redis, ofA.check()).set("node.priority-after", "2s"));
    a.awaitRole("LEADER");
    long epoch = a.status().epoch();
    ofB.status = 503;
    ServiceJvm b =
        trial.join(
            "b",
            conf(redis, ofB.check()).set("node.priority", "7").set("node.priority-after", "2s"));
    b.awaitRole("INELIGIBLE");

    Awaitility.await("the leader stays")
        .during(LEASE)
        .atMost(Duration.ofMinutes(2))
        .until(() -> a.status().saysLeader() && a.status().epoch() == epoch);
    ofB.status = 200;

    assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(b);
    a.awaitLog(" has a higher priority and has been well for ");
    assertThat(trial.stopAndCheck().leaders()).containsExactly(a.name(), b.name());
  }

  @Test
  void unhealthyLeaderYieldsWithoutLosingWrites() throws IOException, InterruptedException {
    String redis = stage.redis().uri();
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    HealthEndpoint ofA = new HealthEndpoint();
    HealthEndpoint ofB = new HealthEndpoint();
    ServiceJvm a = trial.join("a", conf(redis, ofA.check()));
    a.awaitRole("LEADER");
    ServiceJvm b = trial.join("b", conf(redis, ofB.check()));
    b.awaitRole("STANDBY");
    long epoch = a.status().epoch();
    trial.awaitWrites();

    ofA.status = 503;
    assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(b);
    a.awaitRole("INELIGIBLE");
    assertThat(a.status().election().path("why").asText())
        .matches("not eligible: http http://127.0.0.1:\\d+/health: status 503");
    a.awaitLog("lost leadership from=LEADER to=INELIGIBLE why=\"not eligible: http");
    assertThat(a.get("/readyz").status()).isEqualTo(200);

    ofA.status = 200;
    a.awaitRole("STANDBY");
    a.awaitLog(" eligible why=\"eligible\"");
    long epochOfB = b.status().epoch();
    ofB.status = 302;
    assertThat(trial.awaitLeaderAfter(epochOfB)).isSameAs(a);

    assertThat(trial.stopAndCheck().leaders()).containsExactly("a", "b", "a");
  }

  @Test
  void nodeDoesNotLeadUntilItsTcpCheckSucceeds() throws IOException, InterruptedException {
    String redis = stage.redis().uri();
    int port = LoopbackPort.free();
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    ServiceJvm a = trial.join("a", conf(redis, "tcp = \"127.0.0.1:" + port + "\""));
    a.awaitLog("not eligible why=\"not eligible: tcp 127.0.0.1:" + port + ": java.net");
    a.awaitRole("INELIGIBLE");
    assertThat(a.write().refused()).isTrue();

    stage.opened(new ServerSocket(port, 50, InetAddress.getLoopbackAddress()));
    a.awaitRole("LEADER");
    trial.awaitWrites();

    assertThat(trial.stopAndCheck().leaders()).containsExactly("a");
  }

  @Test
  void httpsHealthCheckUsesTheJvmTrustStore() throws Exception {
    Path folder = stage.folder("tls");
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "ip:127.0.0.1");
    Path trusted = folder.resolve("trusted.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("doctor", certificate.keys().getCertificate("server"));
    try (OutputStream out = Files.newOutputStream(trusted)) {
      store.store(out, SelfSignedCertificate.PASSWORD.toCharArray());
    }
    HttpsServer doctor =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    doctor.setHttpsConfigurator(new HttpsConfigurator(context(certificate)));
    doctor.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    doctor.start();
    stage.opened(() -> doctor.stop(0));
    String url = "https://127.0.0.1:" + doctor.getAddress().getPort() + "/health";
    AgentConf conf = conf(stage.redis().uri(), "http = \"" + url + "\"");
    Path journal = stage.folder("journal").resolve("journal.log");

    ServiceJvm wary = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    wary.awaitLog(
        line ->
            line.contains("not eligible: http " + url + ": the certificate is not trusted: ")
                && line.contains("trust store"));
    wary.awaitRole("INELIGIBLE");
    ServiceJvm told =
        stage.start(
            "b",
            JvmLauncher.demoService("b", journal)
                .option("-Djavax.net.ssl.trustStore=" + trusted)
                .option("-Djavax.net.ssl.trustStorePassword=" + SelfSignedCertificate.PASSWORD)
                .conf(conf));
    told.awaitRole("LEADER");

    assertThat(wary.role()).isEqualTo("INELIGIBLE");
  }

  private static SSLContext context(SelfSignedCertificate certificate) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(certificate.keys(), SelfSignedCertificate.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
