package io.portcullis.backend.quorum.network;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameAuthenticatorTest {
  private static final byte[] ONE = new byte[NetworkLimits.NONCE_BYTES];
  private static final byte[] TWO = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private final List<MemberEndpoint> members =
      List.of(NetworkNodeFixture.member("a", 1), NetworkNodeFixture.member("b", 2));
  private final ClusterIdentity a = new ClusterIdentity("c", members, 0);
  private final ClusterIdentity b = new ClusterIdentity("c", members, 1);
  private final FrameAuthenticator sender = passage(true, ONE, TWO);

  private static FrameAuthenticator passage(
      boolean dialled, byte[] acceptorNonce, byte[] diallerNonce) {
    return new FrameAuthenticator(ClusterSecret.of("secret"), dialled, acceptorNonce, diallerNonce);
  }

  private Frame next(int number) throws RejectedException {
    byte[] frame = a.frame(FrameType.MESSAGE, new byte[] {(byte) number});
    byte[] raw =
        ByteBuffer.allocate(frame.length + NetworkLimits.MAC_BYTES)
            .put(frame)
            .put(sender.seal(frame))
            .array();
    return Frame.of(raw, b, NetworkLimits.MAC_BYTES);
  }

  @Test
  void framesPassOnceEachAndInOrder() throws Exception {
    FrameAuthenticator receiver = passage(false, ONE, TWO);
    Frame first = next(1);
    Frame second = next(2);
    Frame third = next(3);

    assertThatThrownBy(() -> receiver.check(second)).isInstanceOf(RejectedException.class);
    receiver.check(first);
    assertThatThrownBy(() -> receiver.check(first)).isInstanceOf(RejectedException.class);
    assertThatThrownBy(() -> receiver.check(third)).isInstanceOf(RejectedException.class);
    assertThatCode(() -> receiver.check(second)).doesNotThrowAnyException();
  }

  @Test
  void aFrameDoesNotPassTheOtherWay() throws Exception {
    Frame own = next(1);

    assertThatThrownBy(() -> passage(true, ONE, TWO).check(own))
        .isInstanceOf(RejectedException.class);
  }

  @Test
  void aFrameDoesNotPassOnALinkWithAnotherNonceOfEitherSide() throws Exception {
    Frame frame = next(1);

    assertThatThrownBy(() -> passage(false, ONE, ONE).check(frame))
        .isInstanceOf(RejectedException.class);
    assertThatThrownBy(() -> passage(false, TWO, TWO).check(frame))
        .isInstanceOf(RejectedException.class);
    assertThatThrownBy(() -> passage(false, TWO, ONE).check(frame))
        .isInstanceOf(RejectedException.class);
  }
}
