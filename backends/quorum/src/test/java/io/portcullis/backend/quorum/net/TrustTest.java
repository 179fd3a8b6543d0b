package io.portcullis.backend.quorum.net;

import static io.portcullis.election.contract.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.backend.Pem;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.PrivateCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in and who is not. */
class TrustTest {
  private static final List<List<String>> ROTATION =
      List.of(List.of("old"), List.of("old", "new"), List.of("new", "old"), List.of("new"));

  private List<Member> members = List.of();

  @BeforeEach
  void choosePorts() throws IOException {
    members = List.of(Node.member("a", LoopbackPort.free()), Node.member("b", LoopbackPort.free()));
  }

  private Node node(int self, List<String> secrets, @Nullable SSLContext tls) throws IOException {
    NetworkConfig usual = Node.config(members, self, self == 0 ? "a" : "b");
    return Node.open(
        new NetworkConfig(
            usual.cluster(),
            members,
            self,
            usual.listen(),
            usual.peer(),
            () -> new Credentials(secrets, tls),
            usual.patience()));
  }

  private Node node(int self, Supplier<Credentials> credentials) throws IOException {
    NetworkConfig usual = Node.config(members, self, self == 0 ? "a" : "b");
    return Node.open(
        new NetworkConfig(
            usual.cluster(),
            members,
            self,
            usual.listen(),
            usual.peer(),
            credentials,
            usual.patience()));
  }

  private static void link(Node a, Node b) {
    await().atMost(LONG).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
    a.send(1, "from a");
    b.send(0, "from b");
    await()
        .atMost(LONG)
        .until(() -> a.messages.contains("1:from b") && b.messages.contains("0:from a"));
  }

  private static void neverLink(Node a, Node b, BooleanSupplier bothHaveSaidWhy) {
    await().atMost(LONG).until(bothHaveSaidWhy::getAsBoolean);
    a.send(1, "from a");
    b.send(0, "from b");
    await()
        .atMost(LONG)
        .until(() -> a.traffic().droppedSends() == 1 && b.traffic().droppedSends() == 1);
    assertThat(a.events).isEmpty();
    assertThat(b.events).isEmpty();
    assertThat(a.messages).isEmpty();
    assertThat(b.messages).isEmpty();
  }

  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource({"0,0", "0,1", "1,0", "1,1", "1,2", "2,1", "2,2", "2,3", "3,2", "3,3"})
  void nodesAtNeighbouringStepsOfARotationLinkWhoeverDials(int ofA, int ofB) throws Exception {
    for (int dialler = 0; dialler < 2; dialler++) {
      int port = LoopbackPort.free();
      // Only one of them can be reached where the list says.
      members =
          dialler == 0
              ? List.of(Node.member("a", LoopbackPort.free()), Node.member("b", port))
              : List.of(Node.member("a", port), Node.member("b", LoopbackPort.free()));
      String[] secretsOfA = ROTATION.get(ofA).toArray(String[]::new);
      String[] secretsOfB = ROTATION.get(ofB).toArray(String[]::new);
      NetworkConfig a = Node.config(members, 0, "a", secretsOfA);
      NetworkConfig b = Node.config(members, 1, "b", secretsOfB);
      try (Node first = Node.open(dialler == 0 ? Node.listeningAt(a, 0) : a);
          Node second = Node.open(dialler == 1 ? Node.listeningAt(b, 0) : b)) {
        link(first, second);
        assertThat(first.traffic().refused(Refusal.SEAL)).isZero();
        assertThat(second.traffic().refused(Refusal.SEAL)).isZero();
      }
    }
  }

  @Test
  void aNodeWithAnotherSecretIsRefusedAndToldWhy() throws Exception {
    try (Node a = node(0, List.of("right"), null);
        Node b = node(1, List.of("wrong"), null)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(Refusal.SEAL) > 0
                  && a.traffic().refusedByPeers(Refusal.SEAL) > 0
                  && b.traffic().refused(Refusal.SEAL) > 0
                  && b.traffic().refusedByPeers(Refusal.SEAL) > 0);
    }
  }

  @Test
  void aSecretThatIsReplacedHoldsForTheNextLink() throws Exception {
    AtomicReference<Credentials> replaced =
        new AtomicReference<>(new Credentials(List.of("wrong"), null));
    try (Node a = node(0, List.of("right"), null);
        Node b = node(1, () -> Objects.requireNonNull(replaced.get()))) {
      await().atMost(LONG).until(() -> b.traffic().refusedByPeers(Refusal.SEAL) > 0);
      assertThat(a.messages).isEmpty();

      replaced.set(new Credentials(List.of("right"), null));

      link(a, b);
    }
  }

  @Test
  void aNodeWithoutASecretIsRefusedByOneThatHasOne() throws Exception {
    try (Node a = node(0, List.of("right"), null);
        Node b = node(1, List.of(), null)) {
      neverLink(
          a,
          b,
          () -> a.traffic().refused(Refusal.SEAL) > 0 && b.traffic().refused(Refusal.SEAL) > 0);
    }
  }

  @Test
  void aNodeOfAnotherClusterIsRefused() throws Exception {
    NetworkConfig usual = Node.config(members, 1, "b", "secret");
    NetworkConfig foreign =
        new NetworkConfig(
            "invoices/main",
            members,
            1,
            usual.listen(),
            usual.peer(),
            usual.credentials(),
            usual.patience());
    try (Node a = node(0, List.of("secret"), null);
        Node b = Node.open(foreign)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(Refusal.CLUSTER) > 0 && b.traffic().refused(Refusal.CLUSTER) > 0);
    }
  }

  @Test
  void aNodeWithAnotherListIsRefused() throws Exception {
    List<Member> longer =
        List.of(members.get(0), members.get(1), Node.member("c", LoopbackPort.free()));
    try (Node a = node(0, List.of("secret"), null);
        Node b = Node.open(Node.config(longer, 1, "b", "secret"))) {
      neverLink(
          a,
          b,
          () -> a.traffic().refused(Refusal.LIST) > 0 && b.traffic().refused(Refusal.LIST) > 0);
    }
  }

  @Test
  void aNodeThatIsNotWhereTheListSaysIsRefused() throws Exception {
    NetworkConfig self = Node.config(members, 0, "a", "secret");
    try (Node a = Node.open(Node.listeningAt(self, members.get(1).port()))) {
      await().atMost(LONG).until(() -> a.traffic().refused(Refusal.STRANGER) > 0);
      assertThat(a.events).isEmpty();
    }
  }

  @Test
  void membersOfOneCaLinkByMutualTlsWithASecretAndWithout(@TempDir Path folder) throws Exception {
    SSLContext tls = context(PrivateCertificate.create(folder, "dns:elsewhere"));
    for (List<String> secrets : List.of(List.<String>of(), List.of("secret"))) {
      choosePorts();
      try (Node a = node(0, secrets, tls);
          Node b = node(1, secrets, tls)) {
        link(a, b);
        assertThat(a.traffic().refused(Refusal.TLS)).isZero();
        assertThat(b.traffic().refused(Refusal.TLS)).isZero();
      }
    }
  }

  @Test
  void aRefusalIsToldUnderTlsToo(@TempDir Path folder) throws Exception {
    SSLContext tls = context(PrivateCertificate.create(folder, "dns:a"));
    try (Node a = node(0, List.of("right"), tls);
        Node b = node(1, List.of("wrong"), tls)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refusedByPeers(Refusal.SEAL) > 0
                  && b.traffic().refusedByPeers(Refusal.SEAL) > 0);
    }
  }

  @Test
  void aCertificateOfAnotherCaIsRefused(@TempDir Path folder) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (Node a = node(0, List.of(), context(PrivateCertificate.create(folder, "dns:a")));
        Node b = node(1, List.of(), context(PrivateCertificate.create(other, "dns:a")))) {
      neverLink(
          a, b, () -> a.traffic().refused(Refusal.TLS) > 0 && b.traffic().refused(Refusal.TLS) > 0);
    }
  }

  @Test
  void aNodeThatShowsNoCertificateIsRefused(@TempDir Path folder) throws Exception {
    PrivateCertificate certificate = PrivateCertificate.create(folder, "dns:a");
    try (Node a = node(0, List.of(), context(certificate));
        Node b = node(1, List.of(), trustOnly(certificate))) {
      neverLink(
          a, b, () -> a.traffic().refused(Refusal.TLS) > 0 && b.traffic().refused(Refusal.TLS) > 0);
    }
  }

  @Test
  void aNodeWithTlsAndOneWithoutNeverLink(@TempDir Path folder) throws Exception {
    SSLContext tls = context(PrivateCertificate.create(folder, "dns:a"));
    try (Node a = node(0, List.of("secret"), tls);
        Node b = node(1, List.of("secret"), null)) {
      neverLink(
          a,
          b,
          () -> a.traffic().refused(Refusal.TLS) > 0 && b.traffic().refused(Refusal.TOO_LONG) > 0);
    }
  }

  private static SSLContext context(PrivateCertificate certificate) throws IOException {
    return Pem.context(certificate.certificate(), certificate.key(), certificate.certificate());
  }

  private static SSLContext trustOnly(PrivateCertificate certificate)
      throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificate.keys());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
