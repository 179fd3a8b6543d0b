package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import io.portcullis.election.backend.PemSslContextFactory;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.SelfSignedCertificate;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in and who is not. */
@Tag("slow")
class PeerAuthenticationTest {
  private static final List<List<String>> ROTATION =
      List.of(List.of("old"), List.of("old", "new"), List.of("new", "old"), List.of("new"));

  private List<MemberEndpoint> members = List.of();

  @BeforeEach
  void choosePorts() throws IOException {
    members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", LoopbackPort.free()));
  }

  private NetworkNodeFixture node(int self, List<String> secrets, @Nullable SSLContext tls)
      throws IOException {
    NetworkConfig usual = NetworkNodeFixture.config(members, self, self == 0 ? "a" : "b");
    return NetworkNodeFixture.open(
        new NetworkConfig(
            usual.cluster(),
            members,
            self,
            usual.listen(),
            usual.peer(),
            () -> new PeerCredentials(secrets, tls),
            usual.responseTimeout()));
  }

  private NetworkNodeFixture node(int self, Supplier<PeerCredentials> credentials)
      throws IOException {
    NetworkConfig usual = NetworkNodeFixture.config(members, self, self == 0 ? "a" : "b");
    return NetworkNodeFixture.open(
        new NetworkConfig(
            usual.cluster(),
            members,
            self,
            usual.listen(),
            usual.peer(),
            credentials,
            usual.responseTimeout()));
  }

  private static void link(NetworkNodeFixture a, NetworkNodeFixture b) {
    await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
    a.send(1, "from a");
    b.send(0, "from b");
    await()
        .atMost(MAX_WAIT)
        .until(() -> a.messages.contains("1:from b") && b.messages.contains("0:from a"));
  }

  private static void neverLink(
      NetworkNodeFixture a, NetworkNodeFixture b, BooleanSupplier bothHaveSaidWhy) {
    await().atMost(MAX_WAIT).until(bothHaveSaidWhy::getAsBoolean);
    a.send(1, "from a");
    b.send(0, "from b");
    await()
        .atMost(MAX_WAIT)
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
              ? List.of(
                  NetworkNodeFixture.member("a", LoopbackPort.free()),
                  NetworkNodeFixture.member("b", port))
              : List.of(
                  NetworkNodeFixture.member("a", port),
                  NetworkNodeFixture.member("b", LoopbackPort.free()));
      String[] secretsOfA = ROTATION.get(ofA).toArray(String[]::new);
      String[] secretsOfB = ROTATION.get(ofB).toArray(String[]::new);
      NetworkConfig a = NetworkNodeFixture.config(members, 0, "a", secretsOfA);
      NetworkConfig b = NetworkNodeFixture.config(members, 1, "b", secretsOfB);
      try (NetworkNodeFixture first =
              NetworkNodeFixture.open(dialler == 0 ? NetworkNodeFixture.listeningAt(a, 0) : a);
          NetworkNodeFixture second =
              NetworkNodeFixture.open(dialler == 1 ? NetworkNodeFixture.listeningAt(b, 0) : b)) {
        link(first, second);
        assertThat(first.traffic().refused(RejectReason.SEAL)).isZero();
        assertThat(second.traffic().refused(RejectReason.SEAL)).isZero();
      }
    }
  }

  @Test
  void aNodeWithAnotherSecretIsRefusedAndToldWhy() throws Exception {
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, List.of("wrong"), null)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.SEAL) > 0
                  && a.traffic().refusedByPeers(RejectReason.SEAL) > 0
                  && b.traffic().refused(RejectReason.SEAL) > 0
                  && b.traffic().refusedByPeers(RejectReason.SEAL) > 0);
    }
  }

  @Test
  void aSecretThatIsReplacedHoldsForTheNextLink() throws Exception {
    AtomicReference<PeerCredentials> replaced =
        new AtomicReference<>(new PeerCredentials(List.of("wrong"), null));
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, () -> Objects.requireNonNull(replaced.get()))) {
      await().atMost(MAX_WAIT).until(() -> b.traffic().refusedByPeers(RejectReason.SEAL) > 0);
      assertThat(a.messages).isEmpty();

      replaced.set(new PeerCredentials(List.of("right"), null));

      link(a, b);
    }
  }

  @Test
  void aNodeWithoutASecretIsRefusedByOneThatHasOne() throws Exception {
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, List.of(), null)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.SEAL) > 0
                  && b.traffic().refused(RejectReason.SEAL) > 0);
    }
  }

  @Test
  void aNodeOfAnotherClusterIsRefused() throws Exception {
    NetworkConfig usual = NetworkNodeFixture.config(members, 1, "b", "secret");
    NetworkConfig foreign =
        new NetworkConfig(
            "invoices/main",
            members,
            1,
            usual.listen(),
            usual.peer(),
            usual.credentials(),
            usual.responseTimeout());
    try (NetworkNodeFixture a = node(0, List.of("secret"), null);
        NetworkNodeFixture b = NetworkNodeFixture.open(foreign)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.CLUSTER) > 0
                  && b.traffic().refused(RejectReason.CLUSTER) > 0);
    }
  }

  @Test
  void aNodeWithAnotherListIsRefused() throws Exception {
    List<MemberEndpoint> longer =
        List.of(
            members.get(0), members.get(1), NetworkNodeFixture.member("c", LoopbackPort.free()));
    try (NetworkNodeFixture a = node(0, List.of("secret"), null);
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(longer, 1, "b", "secret"))) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.LIST) > 0
                  && b.traffic().refused(RejectReason.LIST) > 0);
    }
  }

  @Test
  void aNodeThatIsNotWhereTheListSaysIsRefused() throws Exception {
    NetworkConfig self = NetworkNodeFixture.config(members, 0, "a", "secret");
    try (NetworkNodeFixture a =
        NetworkNodeFixture.open(NetworkNodeFixture.listeningAt(self, members.get(1).port()))) {
      await().atMost(MAX_WAIT).until(() -> a.traffic().refused(RejectReason.STRANGER) > 0);
      assertThat(a.events).isEmpty();
    }
  }

  @Test
  void membersOfOneCaLinkByMutualTlsWithASecretAndWithout(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:elsewhere"));
    for (List<String> secrets : List.of(List.<String>of(), List.of("secret"))) {
      choosePorts();
      try (NetworkNodeFixture a = node(0, secrets, tls);
          NetworkNodeFixture b = node(1, secrets, tls)) {
        link(a, b);
        assertThat(a.traffic().refused(RejectReason.TLS)).isZero();
        assertThat(b.traffic().refused(RejectReason.TLS)).isZero();
      }
    }
  }

  @Test
  void aRefusalIsToldUnderTlsToo(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:a"));
    try (NetworkNodeFixture a = node(0, List.of("right"), tls);
        NetworkNodeFixture b = node(1, List.of("wrong"), tls)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refusedByPeers(RejectReason.SEAL) > 0
                  && b.traffic().refusedByPeers(RejectReason.SEAL) > 0);
    }
  }

  @Test
  void aCertificateOfAnotherCaIsRefused(@TempDir Path folder) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (NetworkNodeFixture a =
            node(0, List.of(), context(SelfSignedCertificate.create(folder, "dns:a")));
        NetworkNodeFixture b =
            node(1, List.of(), context(SelfSignedCertificate.create(other, "dns:a")))) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.TLS) > 0
                  && b.traffic().refused(RejectReason.TLS) > 0);
    }
  }

  @Test
  void aNodeThatShowsNoCertificateIsRefused(@TempDir Path folder) throws Exception {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "dns:a");
    try (NetworkNodeFixture a = node(0, List.of(), context(certificate));
        NetworkNodeFixture b = node(1, List.of(), trustOnly(certificate))) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.TLS) > 0
                  && b.traffic().refused(RejectReason.TLS) > 0);
    }
  }

  @Test
  void aNodeWithTlsAndOneWithoutNeverLink(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:a"));
    try (NetworkNodeFixture a = node(0, List.of("secret"), tls);
        NetworkNodeFixture b = node(1, List.of("secret"), null)) {
      neverLink(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.TLS) > 0
                  && b.traffic().refused(RejectReason.TOO_LONG) > 0);
    }
  }

  private static SSLContext context(SelfSignedCertificate certificate) throws IOException {
    return PemSslContextFactory.context(
        certificate.certificate(), certificate.key(), certificate.certificate());
  }

  private static SSLContext trustOnly(SelfSignedCertificate certificate)
      throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificate.keys());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
