package io.portcullis.backend.quorum.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.network.Frame.FrameType;
import io.portcullis.backend.quorum.network.Handshake.RejectedException;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameAuthenticatorTest {
  private static final byte[] NONCE_1 = new byte[NetworkLimits.NONCE_BYTES];
  private static final byte[] NONCE_2 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private final List<MemberEndpoint> members =
      List.of(NetworkNodeFixture.member("a", 1), NetworkNodeFixture.member("b", 2));
  private final ClusterIdentity a = new ClusterIdentity("c", members, 0);
  private final ClusterIdentity b = new ClusterIdentity("c", members, 1);
  private final FrameAuthenticator sender = authenticator(true, NONCE_1, NONCE_2);

  private static FrameAuthenticator authenticator(
      boolean dialed, byte[] acceptorNonce, byte[] dialerNonce) {
    return new FrameAuthenticator(ClusterSecret.of("secret"), dialed, acceptorNonce, dialerNonce);
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
  void frameOfTheLongestMessageIsShorterThan100Bytes() {
    byte[] frame = a.frame(FrameType.MESSAGE, new byte[NetworkLimits.MAX_PAYLOAD_BYTES]);

    assertThat(NetworkLimits.LENGTH_FIELD_BYTES + frame.length + sender.seal(frame).length)
        .isLessThan(100);
  }

  @Test
  void framesAreAcceptedOnceAndInOrder() throws Exception {
    FrameAuthenticator receiver = authenticator(false, NONCE_1, NONCE_2);
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
  void frameIsRejectedInTheOtherDirection() throws Exception {
    Frame own = next(1);

    assertThatThrownBy(() -> authenticator(true, NONCE_1, NONCE_2).check(own))
        .isInstanceOf(RejectedException.class);
  }

  @Test
  void frameIsRejectedIfEitherNonceDiffers() throws Exception {
    Frame frame = next(1);

    assertThatThrownBy(() -> authenticator(false, NONCE_1, NONCE_1).check(frame))
        .isInstanceOf(RejectedException.class);
    assertThatThrownBy(() -> authenticator(false, NONCE_2, NONCE_2).check(frame))
        .isInstanceOf(RejectedException.class);
    assertThatThrownBy(() -> authenticator(false, NONCE_2, NONCE_1).check(frame))
        .isInstanceOf(RejectedException.class);
  }
}
