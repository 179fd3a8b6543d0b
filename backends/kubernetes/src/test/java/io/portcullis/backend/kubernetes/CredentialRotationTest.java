package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.servers.SelfSignedCertificate;
import io.portcullis.servers.kubernetes.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Certificates and keys that are replaced while a node runs, and credential programs that hang. */
@Execution(ExecutionMode.CONCURRENT)
class CredentialRotationTest {
  @TempDir private Path folder;
  private ApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(certificate("server"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private SelfSignedCertificate certificate(String name) throws Exception {
    Path own = Files.createDirectory(folder.resolve(name));
    return SelfSignedCertificate.create(own, "ip:127.0.0.1");
  }

  private static void put(Path text, Path file) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Files.copy(text, beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Opens new connections only, so that each side sees the other's current certificate. */
  private void reconnect() {
    server.cut();
  }

  private static boolean isAnswered(Claimant claimant) {
    return !(claimant.ask(new LeaseRequest.Look()) instanceof LeaseResponse.Unknown);
  }

  @Test
  void newAuthorityOfAPodIsTrustedWithoutARestart() throws Exception {
    Path account = server.serviceAccount(folder.resolve("account"));
    SelfSignedCertificate next = certificate("next");
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node =
          ApiServerLeaseFixture.at(server, new KubernetesAccess.InCluster(server.url(), account))
              .node(watch, "only");
      assertThat(node.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
      long epoch = node.epoch();

      server.useCertificate(next);
      reconnect();
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> node.status().toString().contains("not trusted"));
      put(next.certificate(), account.resolve("ca.crt"));

      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> !node.status().toString().contains("not trusted"));
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(node::isLeader);
      assertThat(node.epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void missingOrInvalidAuthorityKeepsThePreviousOne() throws Exception {
    Path account = server.serviceAccount(folder.resolve("account"));
    Path authority = account.resolve("ca.crt");
    try (LogCapture log = LogCapture.holding(account.toString());
        Claimant a =
            ApiServerLeaseFixture.at(server, new KubernetesAccess.InCluster(server.url(), account))
                .claimant("a")) {
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));

      Files.writeString(authority, "garbage");
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> isAnswered(a) && keptLines(log) == 1);
      reconnect();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));

      Files.delete(authority);
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> isAnswered(a) && keptLines(log) == 2);
      reconnect();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
      assertThat(keptLines(log)).as("logged once for each change").isEqualTo(2);
    }
  }

  private static long keptLines(LogCapture log) {
    return log.list().stream()
        .filter(line -> line.contains("keeps the credentials it has read before"))
        .count();
  }

  @Test
  void newClientCertificateIsUsedWithoutARestart() throws Exception {
    SelfSignedCertificate first = certificate("first");
    SelfSignedCertificate second = certificate("second");
    Path shown = Files.createDirectory(folder.resolve("shown"));
    put(first.certificate(), shown.resolve("cert.pem"));
    put(first.key(), shown.resolve("key.pem"));
    server.requireClientCertificate(first);
    Path file =
        withUser("client-certificate: shown/cert.pem\n    client-key: " + shown.resolve("key.pem"));
    try (Claimant a = ApiServerLeaseFixture.at(server, Kubeconfig.read(file, null)).claimant("a")) {
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));

      server.requireClientCertificate(second);
      reconnect();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !isAnswered(a));
      put(second.key(), shown.resolve("key.pem"));
      put(second.certificate(), shown.resolve("cert.pem"));

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
    }
  }

  @Test
  void newAuthorityIsTrustedNewServerNeedsRestart() throws Exception {
    SelfSignedCertificate next = certificate("next");
    Path file = server.kubeconfig(folder);
    try (LogCapture log = LogCapture.holding(file.toString());
        Claimant a = ApiServerLeaseFixture.at(server, Kubeconfig.read(file, null)).claimant("a")) {
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));

      Files.writeString(file, Files.readString(file).replace(server.url(), "https://127.0.0.1:9"));
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> isAnswered(a) && keptLines(log) == 1);
      assertThat(log.list()).anyMatch(line -> line.contains("that takes a restart"));

      server.useCertificate(next);
      reconnect();
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !isAnswered(a));
      server.kubeconfig(folder);

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
    }
  }

  private Path withUser(String user) throws IOException {
    Path file = server.kubeconfig(folder);
    String text = Files.readString(file);
    assertThat(text).contains("    token: " + ApiServer.TOKEN);
    return Files.writeString(file, text.replace("token: " + ApiServer.TOKEN, user));
  }

  /** A program that waits until the file is deleted and then prints a token. */
  private Path withProgramThatWaitsFor(Path file) throws IOException {
    Path program = folder.resolve("credentials");
    Files.writeString(
        program,
        """
        #!/bin/sh
        while [ -e %s ]; do sleep 0.1; done
        echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-program"}}'
        """
            .formatted(file));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return withUser(
        "exec:\n      apiVersion: client.authentication.k8s.io/v1\n      command: " + program);
  }

  @Test
  void hangingProgramIsReportedAndTheNodeRecovers() throws Exception {
    Path hang = Files.createFile(folder.resolve("hang"));
    ApiServerLeaseFixture outpost =
        ApiServerLeaseFixture.at(server, Kubeconfig.read(withProgramThatWaitsFor(hang), null))
            .with(ApiServerLeaseFixture.BRISK);
    try (Claimant a = outpost.claimant("a")) {
      for (int i = 0; i < 2; i++) {
        LeaseResponse answer = a.ask(new LeaseRequest.Look());

        assertThat(answer).isInstanceOf(LeaseResponse.Unknown.class);
        assertThat(((LeaseResponse.Unknown) answer).why())
            .contains("credentials", "program", "hang");
      }
      Files.delete(hang);

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
    }
  }

  @Test
  void programThatHangsLaterDelaysNoRequest() throws Exception {
    Path hang = folder.resolve("hang");
    try (Claimant a =
        ApiServerLeaseFixture.at(server, Kubeconfig.read(withProgramThatWaitsFor(hang), null))
            .claimant("a")) {
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
      Files.createFile(hang);

      server.faults().requireToken("other");
      assertThat(isAnswered(a)).as("refused, so the program runs again").isFalse();
      server.faults().requireToken("from-program");

      await("with the token that was")
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> isAnswered(a));
      assertThat(hang).as("the program still hangs").exists();
      Files.delete(hang);
    }
  }

  @Test
  void closedNodeLogsNothingOfAHangingProgram() throws Exception {
    Path hang = folder.resolve("hang");
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    try {
      try (Claimant a =
          ApiServerLeaseFixture.at(server, Kubeconfig.read(withProgramThatWaitsFor(hang), null))
              .claimant("a")) {
        await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> isAnswered(a));
        Files.createFile(hang);
        server.faults().requireToken("other");
        assertThat(isAnswered(a)).isFalse();
        await()
            .atMost(ApiServerLeaseFixture.MAX_WAIT)
            .until(CredentialRotationTest::isProgramAwaited);
      }
      Files.delete(hang);

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !isProgramAwaited());
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static boolean isProgramAwaited() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().endsWith("-credentials"))
        .flatMap(each -> Stream.of(each.getValue()))
        .anyMatch(frame -> frame.getMethodName().contains("ExecCredential"));
  }
}
