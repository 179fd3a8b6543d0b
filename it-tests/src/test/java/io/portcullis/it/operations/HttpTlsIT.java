package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the agent's HTTP endpoints over TLS. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HttpTlsIT {
  /** Exit code of the command status while an election has no leader. */
  private static final int NOBODY_LEADS = 3;

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private Path folder;
  private SelfSignedCertificate first;

  @BeforeEach
  void certificate() throws Exception {
    folder = stage.folder("tls");
    first = SelfSignedCertificate.create(folder, "ip:127.0.0.1");
  }

  private ServiceJvm start(boolean clientsToo) throws IOException {
    AgentConf conf =
        AgentConf.ledger(stage.redis().uri(), LEASE)
            .set("http.tls.cert", "\"" + first.certificate() + "\"")
            .set("http.tls.key", "\"" + first.key() + "\"");
    if (clientsToo) {
      conf.set("http.tls.ca", "\"" + first.certificate() + "\"");
    }
    return stage.start("a", JvmLauncher.demoService("a", folder.resolve("journal.log")).conf(conf));
  }

  private static URI url(ServiceJvm jvm) {
    String line = jvm.awaitLog("listening on https://").text();
    return URI.create(line.substring(line.indexOf("https://")).replaceFirst(" .*", ""));
  }

  private static int health(URI url, SelfSignedCertificate trusted, boolean shown)
      throws IOException, InterruptedException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    known.setCertificateEntry("agent", trusted.keys().getCertificate("server"));
    trust.init(known);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(shown ? trusted.keys() : null, SelfSignedCertificate.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(
            HttpRequest.newBuilder(url.resolve("/healthz")).timeout(TIMEOUT).build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void endpointsAnswerOverTlsOnlyAndReloadCertificates() throws Exception {
    ServiceJvm jvm = start(false);
    URI url = url(jvm);

    assertThat(health(url, first, false)).isEqualTo(200);
    assertThatThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + url.getPort() + "/healthz"))
                            .timeout(TIMEOUT)
                            .build(),
                        BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);

    SelfSignedCertificate second =
        SelfSignedCertificate.create(Files.createDirectory(folder.resolve("next")), "ip:127.0.0.1");
    replace(second.certificate(), first.certificate());
    assertThat(health(url, first, false)).as("certificate without its key").isEqualTo(200);
    jvm.awaitLog("keeps its certificate for HTTP");
    replace(second.key(), first.key());

    assertThat(health(url, second, false)).isEqualTo(200);
    assertThatThrownBy(() -> health(url, first, false)).isInstanceOf(IOException.class);
  }

  private static void replace(Path by, Path file) throws IOException {
    Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void clientCertificateIsRequiredWhenACaIsConfigured() throws Exception {
    ServiceJvm jvm = start(true);
    URI url = url(jvm);
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        silent.add(new Socket(url.getHost(), url.getPort()));
      }

      assertThat(health(url, first, true)).isEqualTo(200);
      assertThatThrownBy(() -> health(url, first, false)).isInstanceOf(IOException.class);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private CommandResult status(String... more) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(Jdks.tool(Jdks.running(), "java"), "-XX:TieredStopAtLevel=1", "-jar"));
    words.addAll(List.of(Artifacts.agent().toString(), "status"));
    words.addAll(List.of(more));
    return CommandResult.run(folder, Map.of(), words);
  }

  @Test
  void commandLineUsesGivenCaAndClientCertificate() throws Exception {
    String url = url(start(true)).toString();
    String ca = first.certificate().toString();
    String key = first.key().toString();

    CommandResult stranger = status(url);
    assertThat(stranger.exitCode()).isEqualTo(1);
    assertThat(stranger.stdout()).contains("its certificate is not trusted", "--ca");

    CommandResult nobody = status(url, "--ca", ca);
    assertThat(nobody.exitCode()).isEqualTo(1);
    assertThat(nobody.stdout()).contains("http.tls.ca", "--cert and --key");

    CommandResult known = status(url, "--ca", ca, "--cert", ca, "--key", key);
    assertThat(known.exitCode()).as("%s", known).isIn(0, NOBODY_LEADS); // It may not lead yet.
    assertThat(known.stdout()).contains(" writer ");

    CommandResult half = status(url, "--ca", ca, "--cert", ca);
    assertThat(half.exitCode()).isEqualTo(2);
    assertThat(half.stderr()).contains("--key is missing");

    CommandResult wrong = status(url, "--ca", key);
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.stderr()).contains(key, "holds no certificate");
  }

  @Test
  void unusableTlsFilesStopTheJvmBeforeMain() throws Exception {
    Files.writeString(first.key(), "nothing");

    ServiceJvm jvm = start(false);

    assertThat(jvm.awaitExit()).isEqualTo(78);
    assertThat(jvm.output().all()).contains("portcullis.http.tls", "holds no private key");
  }
}
