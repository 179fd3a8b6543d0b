package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.SelfSignedCertificate;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.ClientConfigFiles;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The ways to authenticate at an API server, and changes of them while a node runs. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class KubernetesAccessTest {
  @TempDir private Path folder;
  private SelfSignedCertificate certificate;
  private ApiServer server;

  @BeforeEach
  void start() throws Exception {
    certificate = SelfSignedCertificate.create(folder, "ip:127.0.0.1");
    server = ApiServer.start(certificate);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ApiServerLeaseFixture inCluster(Path account) {
    return ApiServerLeaseFixture.at(
        server, new KubernetesAccess.InCluster(server.url() + "/", account));
  }

  private ApiServerLeaseFixture by(Path kubeconfig) {
    return ApiServerLeaseFixture.at(server, Kubeconfig.read(kubeconfig, null));
  }

  private static String why(LeaseResponse answer) {
    assertThat(answer).isInstanceOf(Unknown.class);
    return ((Unknown) answer).why();
  }

  private static String whyOf(ApiServerLeaseFixture outpost) {
    try (Claimant a = outpost.claimant("a")) {
      return why(a.ask(new LeaseRequest.Look()));
    }
  }

  private static void assertLeads(ApiServerLeaseFixture outpost) {
    try (Claimant a = outpost.claimant("a")) {
      Granted won = a.lead();
      assertThat(a.renew(won.epoch())).isEqualTo(won);
    }
  }

  @Test
  void podLeadsWithItsServiceAccount() {
    assertLeads(inCluster(server.serviceAccount(folder.resolve("account"))));

    assertThat(server.requests())
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.token()).isEqualTo(ApiServer.TOKEN))
        .allSatisfy(asked -> assertThat(asked.userAgent()).isEqualTo("portcullis"))
        .allSatisfy(asked -> assertThat(asked.path()).startsWith("/api"));
  }

  @Test
  void serverOfAnotherAuthorityIsNotTrusted() throws Exception {
    Path account = server.serviceAccount(folder.resolve("account"));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    SelfSignedCertificate other = SelfSignedCertificate.create(elsewhere, "ip:127.0.0.1");
    Files.copy(other.certificate(), account.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);

    assertThat(whyOf(inCluster(account))).contains(server.url(), "certificate", "not trusted");
    Files.delete(account.resolve("ca.crt"));
    assertThat(whyOf(inCluster(account))).contains(server.url(), "certificate", "not trusted");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void authorityFileWithoutACertificateIsReported() throws IOException {
    Path account = server.serviceAccount(folder.resolve("account"));
    Files.writeString(account.resolve("ca.crt"), "garbage");

    assertThat(whyOf(inCluster(account))).contains(server.url()).containsIgnoringCase("certif");
  }

  @Test
  void rotatedTokenIsUsedWithoutARestart() throws InterruptedException {
    Path account = server.serviceAccount(folder.resolve("account"), "first");
    server.faults().requireToken("first");
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = inCluster(account).node(watch, "only");
      assertThat(node.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
      long epoch = node.epoch();

      server.faults().requireToken("second");
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> node.status().toString().contains(" 401"));
      server.serviceAccount(account, "second");

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> usesOf("second", Verb.UPDATE) > 1);
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(node::isLeader);
      assertThat(node.epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void incompleteTokenIsReportedWithoutShowingIt() throws IOException {
    Path account = server.serviceAccount(folder.resolve("account"));
    Files.writeString(account.resolve("token"), "secret-begin\u0000\n\u00e9secret-end");

    try (Claimant a = inCluster(account).claimant("a")) {
      assertThat(why(a.ask(new LeaseRequest.Look())))
          .contains(account.resolve("token").toString())
          .doesNotContain("secret");
      server.serviceAccount(folder.resolve("account"));
      a.lead();
    }
  }

  private long usesOf(String token, Verb verb) {
    return server.requests(RequestFilter.to(verb).by(token)).size();
  }

  @Test
  void refusedTokenIsReportedAndNotTriedTwice() {
    Path account = server.serviceAccount(folder.resolve("account"), "old");
    try (Claimant a = inCluster(account).claimant("a")) {
      a.look();
      server.faults().requireToken("new");
      int before = server.requests(RequestFilter.to(Verb.GET)).size();

      assertThat(why(a.ask(new LeaseRequest.Look()))).contains("responds with 401", server.url());
      assertThat(server.requests(RequestFilter.to(Verb.GET))).hasSize(before + 1);
    }
  }

  @Test
  void missingTokenIsReportedAndReadOnceItExists() throws IOException {
    Path account = server.serviceAccount(folder.resolve("account"));
    Files.delete(account.resolve("token"));
    try (Claimant a = inCluster(account).claimant("a")) {
      assertThat(why(a.ask(new LeaseRequest.Look()))).contains(account.resolve("token").toString());

      server.serviceAccount(account);

      assertThat(a.look().isNone()).isTrue();
    }
  }

  @Test
  void configuredContextWinsOverTheCurrentContext() {
    Path file = server.kubeconfigOfTwo(folder, ClientConfigFiles.WRONG);
    ApiServerLeaseFixture named =
        ApiServerLeaseFixture.at(server, Kubeconfig.read(file, ClientConfigFiles.RIGHT));
    server.kubeconfigOfTwo(folder, ClientConfigFiles.RIGHT);
    Kubeconfig current = Kubeconfig.read(file, null);
    server.kubeconfigOfTwo(folder, ClientConfigFiles.WRONG);

    assertLeads(named);
    assertLeads(ApiServerLeaseFixture.at(server, current));
  }

  @Test
  void kubeconfigTokenIsReadAgainAfterARefusal() {
    Path file = server.kubeconfig(folder, "first");
    server.faults().requireToken("first");
    try (Claimant a = by(file).claimant("a")) {
      a.look();
      server.faults().requireToken("second");
      assertThat(why(a.ask(new LeaseRequest.Look()))).contains("responds with 401");

      server.kubeconfig(folder, "second");

      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof LeaseResponse.HeldByOther);
    }
  }

  @Test
  void unusableClientKeyIsReportedWithItsCause() throws IOException {
    Path key = Files.writeString(folder.resolve("odd.pem"), "garbage");
    String user = "client-certificate: " + certificate.certificate() + "\n    client-key: " + key;

    assertThat(whyOf(by(withUser(user))))
        .contains(server.url(), "its credentials can't be used: ")
        .doesNotContain("An error has occurred");
  }

  @Test
  void tokenProgramDoesNotRunWhenSettingsAreRead() throws IOException {
    Path ran = folder.resolve("ran");
    Path program = folder.resolve("credentials");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo x >> %s
        echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-program"}}'
        """
            .formatted(ran));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    String user =
        "exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: " + program;

    ApiServerLeaseFixture outpost = by(withUser(user));
    assertThat(ran).doesNotExist();
    assertLeads(outpost);

    assertThat(server.requests()).extracting(RequestLogEntry::token).containsOnly("from-program");
    assertThat(Files.readAllLines(ran)).hasSize(1);
  }

  private Path withUser(String user) throws IOException {
    Path file = server.kubeconfig(folder);
    String text = Files.readString(file);
    assertThat(text).contains("    token: " + ApiServer.TOKEN);
    return Files.writeString(file, text.replace("token: " + ApiServer.TOKEN, user));
  }

  @Test
  void invalidKubeconfigIsReportedAndReadAgain() throws IOException {
    Path file = server.kubeconfig(folder);
    String right = Files.readString(file);
    ApiServerLeaseFixture outpost = by(file);
    Files.writeString(file, "garbage");

    try (Claimant a = outpost.claimant("a")) {
      assertThat(why(a.ask(new LeaseRequest.Look()))).contains(server.url());
      Files.write(file, List.of(right));

      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof LeaseResponse.HeldByOther);
    }
  }
}
