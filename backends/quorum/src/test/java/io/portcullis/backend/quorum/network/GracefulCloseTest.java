package io.portcullis.backend.quorum.network;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.quorum.network.Network.MessageReceiver;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import io.portcullis.election.backend.PemSslContextFactory;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.SelfSignedCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests closing. The test drives the event loops of both networks, so that it can pause one. */
class GracefulCloseTest {
  private static final byte[] NOISE = "noise".getBytes(StandardCharsets.UTF_8);

  private static final class RecordingReceiver implements MessageReceiver {
    final List<String> events = new ArrayList<>();

    @Override
    public void linked(int member, PeerProcess peer) {
      events.add("linked");
    }

    @Override
    public void unlinked(int member) {
      events.add("unlinked");
    }

    @Override
    public void duplicateFound(String identity) {
      events.add("duplicate found");
    }

    @Override
    public void received(int member, byte[] payload) {
      events.add(new String(payload, StandardCharsets.UTF_8));
    }
  }

  @Test
  void lastMessageArrivesAtAPausedPeer() throws Exception {
    assertLastMessageArrives(null);
  }

  @Test
  void lastMessageArrivesUnderTls(@TempDir Path folder) throws Exception {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "dns:node");
    assertLastMessageArrives(
        PemSslContextFactory.context(
            certificate.certificate(), certificate.key(), certificate.certificate()));
  }

  private static void assertLastMessageArrives(@Nullable SSLContext tls) throws IOException {
    // Member a listens on another port than listed, so there is one connection, dialed by a.
    List<MemberEndpoint> members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", LoopbackPort.free()));
    RecordingReceiver receiverA = new RecordingReceiver();
    RecordingReceiver receiverB = new RecordingReceiver();
    try (Network b = Network.open(with(tls, NetworkNodeFixture.config(members, 1, "b")))) {
      long closingAtNanos;
      Network a =
          Network.open(
              with(
                  tls,
                  NetworkNodeFixture.listeningAt(NetworkNodeFixture.config(members, 0, "a"), 0)));
      try (a) {
        await()
            .atMost(MAX_WAIT)
            .until(
                () -> {
                  a.turn(0, receiverA);
                  b.turn(0, receiverB);
                  return receiverA.events.contains("linked") && receiverB.events.contains("linked");
                });
        b.send(0, NOISE);
        b.turn(0, receiverB);
        a.send(1, "released".getBytes(StandardCharsets.UTF_8));
        closingAtNanos = System.nanoTime();
      }

      // It waits the maximum time for b to close, since the loop of b is paused.
      assertThat(System.nanoTime() - closingAtNanos)
          .isGreaterThanOrEqualTo(NetworkLimits.MAX_CLOSE_NANOS);
      assertThat(a.traffic().connections()).isZero();
      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                b.turn(0, receiverB);
                return receiverB.events.contains("unlinked");
              });
      assertThat(receiverB.events).containsExactly("linked", "released", "unlinked");
    }
  }

  private static NetworkConfig with(@Nullable SSLContext tls, NetworkConfig plain) {
    return new NetworkConfig(
        plain.cluster(),
        plain.members(),
        plain.self(),
        plain.listen(),
        plain.peer(),
        () -> new PeerCredentials(List.of("secret"), tls),
        plain.responseTimeout());
  }
}
