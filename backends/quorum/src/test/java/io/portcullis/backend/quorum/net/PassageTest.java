package io.portcullis.backend.quorum.net;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassageTest {
  private static final byte[] ONE = new byte[Bounds.NONCE];
  private static final byte[] TWO = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private final List<Member> members = List.of(Node.member("a", 1), Node.member("b", 2));
  private final Roster a = new Roster("c", members, 0);
  private final Roster b = new Roster("c", members, 1);
  private final Passage sender = passage(true, ONE, TWO);

  private static Passage passage(boolean dialled, byte[] acceptorNonce, byte[] diallerNonce) {
    return new Passage(Secret.of("secret"), dialled, acceptorNonce, diallerNonce);
  }

  private Frame next(int number) throws Refused {
    byte[] frame = a.frame(Kind.MESSAGE, new byte[] {(byte) number});
    byte[] raw =
        ByteBuffer.allocate(frame.length + Bounds.SEAL).put(frame).put(sender.seal(frame)).array();
    return Frame.of(raw, b, Bounds.SEAL);
  }

  @Test
  void framesPassOnceEachAndInOrder() throws Exception {
    Passage receiver = passage(false, ONE, TWO);
    Frame first = next(1);
    Frame second = next(2);
    Frame third = next(3);

    assertThatThrownBy(() -> receiver.check(second)).isInstanceOf(Refused.class);
    receiver.check(first);
    assertThatThrownBy(() -> receiver.check(first)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> receiver.check(third)).isInstanceOf(Refused.class);
    assertThatCode(() -> receiver.check(second)).doesNotThrowAnyException();
  }

  @Test
  void aFrameDoesNotPassTheOtherWay() throws Exception {
    Frame own = next(1);

    assertThatThrownBy(() -> passage(true, ONE, TWO).check(own)).isInstanceOf(Refused.class);
  }

  @Test
  void aFrameDoesNotPassOnALinkWithAnotherNonceOfEitherSide() throws Exception {
    Frame frame = next(1);

    assertThatThrownBy(() -> passage(false, ONE, ONE).check(frame)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> passage(false, TWO, TWO).check(frame)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> passage(false, TWO, ONE).check(frame)).isInstanceOf(Refused.class);
  }
}
