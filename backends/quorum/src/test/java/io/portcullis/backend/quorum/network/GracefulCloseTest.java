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

/** Closing, with both networks turned by the test, so that one of them can stand still. */
class GracefulCloseTest {
  private static final byte[] NOISE = "noise".getBytes(StandardCharsets.UTF_8);

  private static final class RecordingReceiver implements MessageReceiver {
    final List<String> lines = new ArrayList<>();

    @Override
    public void linked(int member, PeerProcess peer) {
      lines.add("linked");
    }

    @Override
    public void unlinked(int member) {
      lines.add("unlinked");
    }

    @Override
    public void duplicateFound(String identity) {
      lines.add("doubled");
    }

    @Override
    public void received(int member, byte[] payload) {
      lines.add(new String(payload, StandardCharsets.UTF_8));
    }
  }

  @Test
  void lastMessageArrivesThoughThePeerIsStopped() throws Exception {
    lastWord(null);
  }

  @Test
  void theLastWordArrivesUnderTlsToo(@TempDir Path folder) throws Exception {
    SelfSignedCertificate made = SelfSignedCertificate.create(folder, "dns:node");
    lastWord(PemSslContextFactory.context(made.certificate(), made.key(), made.certificate()));
  }

  private static void lastWord(@Nullable SSLContext tls) throws IOException {
    // Nobody reaches a where the list says, so that there is one link, dialled by a.
    List<MemberEndpoint> members =
        List.of(
            NetworkNodeFixture.member("a", LoopbackPort.free()),
            NetworkNodeFixture.member("b", LoopbackPort.free()));
    RecordingReceiver heardByA = new RecordingReceiver();
    RecordingReceiver heardByB = new RecordingReceiver();
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
                  a.turn(0, heardByA);
                  b.turn(0, heardByB);
                  return heardByA.lines.contains("linked") && heardByB.lines.contains("linked");
                });
        b.send(0, NOISE);
        b.turn(0, heardByB);
        a.send(1, "released".getBytes(StandardCharsets.UTF_8));
        closingAtNanos = System.nanoTime();
      }

      // It waits for b to see the end, as long as it may, since b stands still.
      assertThat(System.nanoTime() - closingAtNanos)
          .isGreaterThanOrEqualTo(NetworkLimits.MAX_CLOSE_NANOS);
      assertThat(a.traffic().connections()).isZero();
      await()
          .atMost(MAX_WAIT)
          .until(
              () -> {
                b.turn(0, heardByB);
                return heardByB.lines.contains("unlinked");
              });
      assertThat(heardByB.lines).containsExactly("linked", "released", "unlinked");
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
