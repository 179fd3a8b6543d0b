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

/** Tests which peers are accepted: by secret, cluster, member list and TLS certificate. */
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
    NetworkConfig base = NetworkNodeFixture.config(members, self, self == 0 ? "a" : "b");
    return NetworkNodeFixture.open(
        new NetworkConfig(
            base.cluster(),
            members,
            self,
            base.listen(),
            base.peer(),
            () -> new PeerCredentials(secrets, tls),
            base.responseTimeout()));
  }

  private NetworkNodeFixture node(int self, Supplier<PeerCredentials> credentials)
      throws IOException {
    NetworkConfig base = NetworkNodeFixture.config(members, self, self == 0 ? "a" : "b");
    return NetworkNodeFixture.open(
        new NetworkConfig(
            base.cluster(),
            members,
            self,
            base.listen(),
            base.peer(),
            credentials,
            base.responseTimeout()));
  }

  private static void awaitConnected(NetworkNodeFixture a, NetworkNodeFixture b) {
    await().atMost(MAX_WAIT).until(() -> a.isLinkedWith(1) && b.isLinkedWith(0));
    a.send(1, "from a");
    b.send(0, "from b");
    await()
        .atMost(MAX_WAIT)
        .until(() -> a.messages.contains("1:from b") && b.messages.contains("0:from a"));
  }

  private static void assertNeverConnected(
      NetworkNodeFixture a, NetworkNodeFixture b, BooleanSupplier rejected) {
    await().atMost(MAX_WAIT).until(rejected::getAsBoolean);
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
  void nodesAtAdjacentRotationStepsConnectInBothDirections(int stepOfA, int stepOfB)
      throws Exception {
    for (int dialer = 0; dialer < 2; dialer++) {
      int port = LoopbackPort.free();
      // Only one of them listens at its listed address, so the other one dials.
      members =
          dialer == 0
              ? List.of(
                  NetworkNodeFixture.member("a", LoopbackPort.free()),
                  NetworkNodeFixture.member("b", port))
              : List.of(
                  NetworkNodeFixture.member("a", port),
                  NetworkNodeFixture.member("b", LoopbackPort.free()));
      String[] secretsOfA = ROTATION.get(stepOfA).toArray(String[]::new);
      String[] secretsOfB = ROTATION.get(stepOfB).toArray(String[]::new);
      NetworkConfig a = NetworkNodeFixture.config(members, 0, "a", secretsOfA);
      NetworkConfig b = NetworkNodeFixture.config(members, 1, "b", secretsOfB);
      try (NetworkNodeFixture first =
              NetworkNodeFixture.open(dialer == 0 ? NetworkNodeFixture.listeningAt(a, 0) : a);
          NetworkNodeFixture second =
              NetworkNodeFixture.open(dialer == 1 ? NetworkNodeFixture.listeningAt(b, 0) : b)) {
        awaitConnected(first, second);
        assertThat(first.traffic().refused(RejectReason.SEAL)).isZero();
        assertThat(second.traffic().refused(RejectReason.SEAL)).isZero();
      }
    }
  }

  @Test
  void nodeWithAnotherSecretIsRejectedWithReason() throws Exception {
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, List.of("wrong"), null)) {
      assertNeverConnected(
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
  void replacedSecretIsUsedForTheNextConnection() throws Exception {
    AtomicReference<PeerCredentials> replaced =
        new AtomicReference<>(new PeerCredentials(List.of("wrong"), null));
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, () -> Objects.requireNonNull(replaced.get()))) {
      await().atMost(MAX_WAIT).until(() -> b.traffic().refusedByPeers(RejectReason.SEAL) > 0);
      assertThat(a.messages).isEmpty();

      replaced.set(new PeerCredentials(List.of("right"), null));

      awaitConnected(a, b);
    }
  }

  @Test
  void nodeWithoutASecretIsRejectedByOneWithASecret() throws Exception {
    try (NetworkNodeFixture a = node(0, List.of("right"), null);
        NetworkNodeFixture b = node(1, List.of(), null)) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.SEAL) > 0
                  && b.traffic().refused(RejectReason.SEAL) > 0);
    }
  }

  @Test
  void nodeOfAnotherClusterIsRejected() throws Exception {
    NetworkConfig base = NetworkNodeFixture.config(members, 1, "b", "secret");
    NetworkConfig foreign =
        new NetworkConfig(
            "invoices/main",
            members,
            1,
            base.listen(),
            base.peer(),
            base.credentials(),
            base.responseTimeout());
    try (NetworkNodeFixture a = node(0, List.of("secret"), null);
        NetworkNodeFixture b = NetworkNodeFixture.open(foreign)) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.CLUSTER) > 0
                  && b.traffic().refused(RejectReason.CLUSTER) > 0);
    }
  }

  @Test
  void nodeWithAnotherMemberListIsRejected() throws Exception {
    List<MemberEndpoint> longer =
        List.of(
            members.get(0), members.get(1), NetworkNodeFixture.member("c", LoopbackPort.free()));
    try (NetworkNodeFixture a = node(0, List.of("secret"), null);
        NetworkNodeFixture b =
            NetworkNodeFixture.open(NetworkNodeFixture.config(longer, 1, "b", "secret"))) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.LIST) > 0
                  && b.traffic().refused(RejectReason.LIST) > 0);
    }
  }

  @Test
  void nodeAtTheAddressOfAnotherMemberIsRejected() throws Exception {
    NetworkConfig self = NetworkNodeFixture.config(members, 0, "a", "secret");
    try (NetworkNodeFixture a =
        NetworkNodeFixture.open(NetworkNodeFixture.listeningAt(self, members.get(1).port()))) {
      await().atMost(MAX_WAIT).until(() -> a.traffic().refused(RejectReason.STRANGER) > 0);
      assertThat(a.events).isEmpty();
    }
  }

  @Test
  void mutualTlsConnectsMembersWithAndWithoutASecret(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:elsewhere"));
    for (List<String> secrets : List.of(List.<String>of(), List.of("secret"))) {
      choosePorts();
      try (NetworkNodeFixture a = node(0, secrets, tls);
          NetworkNodeFixture b = node(1, secrets, tls)) {
        awaitConnected(a, b);
        assertThat(a.traffic().refused(RejectReason.TLS)).isZero();
        assertThat(b.traffic().refused(RejectReason.TLS)).isZero();
      }
    }
  }

  @Test
  void reasonOfARejectionIsSentUnderTls(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:a"));
    try (NetworkNodeFixture a = node(0, List.of("right"), tls);
        NetworkNodeFixture b = node(1, List.of("wrong"), tls)) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refusedByPeers(RejectReason.SEAL) > 0
                  && b.traffic().refusedByPeers(RejectReason.SEAL) > 0);
    }
  }

  @Test
  void certificateOfAnotherCaIsRejected(@TempDir Path folder) throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (NetworkNodeFixture a =
            node(0, List.of(), context(SelfSignedCertificate.create(folder, "dns:a")));
        NetworkNodeFixture b =
            node(1, List.of(), context(SelfSignedCertificate.create(other, "dns:a")))) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.TLS) > 0
                  && b.traffic().refused(RejectReason.TLS) > 0);
    }
  }

  @Test
  void nodeWithoutACertificateIsRejected(@TempDir Path folder) throws Exception {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "dns:a");
    try (NetworkNodeFixture a = node(0, List.of(), context(certificate));
        NetworkNodeFixture b = node(1, List.of(), trustOnly(certificate))) {
      assertNeverConnected(
          a,
          b,
          () ->
              a.traffic().refused(RejectReason.TLS) > 0
                  && b.traffic().refused(RejectReason.TLS) > 0);
    }
  }

  @Test
  void nodesWithAndWithoutTlsNeverConnect(@TempDir Path folder) throws Exception {
    SSLContext tls = context(SelfSignedCertificate.create(folder, "dns:a"));
    try (NetworkNodeFixture a = node(0, List.of("secret"), tls);
        NetworkNodeFixture b = node(1, List.of("secret"), null)) {
      assertNeverConnected(
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
