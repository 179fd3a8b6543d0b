package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCodecTest {

  static List<QuorumMessage> messages() {
    return List.of(
        new QuorumMessage.Probe(-1),
        new QuorumMessage.Report(2, 3, true, 10_000),
        new QuorumMessage.PreVote(Long.MIN_VALUE, 4, -7, 99),
        new QuorumMessage.PreVoteReply(5, 6, false, -1, 0, 0),
        new QuorumMessage.PreVoteReply(5, 6, true, 99, EpochRange.MAX_EPOCH, 12),
        new QuorumMessage.RequestVote(7, 1_800_000_000L),
        new QuorumMessage.VoteReply(8, 9, true),
        new QuorumMessage.Heartbeat(10, 11, 86_400_000),
        new QuorumMessage.HeartbeatReply(12, 13, true, false, Integer.MIN_VALUE),
        new QuorumMessage.Released(14, 15, 2),
        new QuorumMessage.ReleasedReply(16, 17));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void decodeReturnsTheEncodedMessage(QuorumMessage message) {
    assertThat(MessageCodec.decode(MessageCodec.encode(message))).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void truncatedOrExtendedMessageIsNotDecoded(QuorumMessage message) {
    byte[] bytes = MessageCodec.encode(message);

    for (int length = 0; length < bytes.length; length++) {
      assertThat(MessageCodec.decode(Arrays.copyOf(bytes, length))).isNull();
    }
    assertThat(MessageCodec.decode(Arrays.copyOf(bytes, bytes.length + 1))).isNull();
  }

  static List<QuorumMessage> messagesIn(long term) {
    return List.of(
        new QuorumMessage.Report(1, term, true, 10_000),
        new QuorumMessage.PreVote(1, term, 0, 0),
        new QuorumMessage.PreVoteReply(1, term, true, -1, 0, 0),
        new QuorumMessage.PreVoteReply(1, 1, true, 1, term, 0),
        new QuorumMessage.RequestVote(1, term),
        new QuorumMessage.VoteReply(1, term, true),
        new QuorumMessage.Heartbeat(1, term, 10_000),
        new QuorumMessage.HeartbeatReply(1, term, true, true, 0),
        new QuorumMessage.Released(1, term, -1),
        new QuorumMessage.ReleasedReply(1, term));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, EpochRange.MAX_EPOCH + 1, 1L << 53, Long.MAX_VALUE})
  void implausibleTermIsRejectedInEveryMessage(long term) {
    for (QuorumMessage message : messagesIn(term)) {
      byte[] bytes = MessageCodec.encode(message);

      assertThatThrownBy(() -> MessageCodec.decode(bytes))
          .as(message.toString())
          .isInstanceOf(EpochRangeException.class)
          .hasMessageContaining(Long.toString(term));
    }
  }

  @Test
  void randomBytesAreDecodedOrRejected() {
    SplittableRandom random = new SplittableRandom(17);

    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(48)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) random.nextInt(-1, 12);
      }
      QuorumMessage decoded = decodeOrNull(bytes);
      if (decoded != null) {
        assertThat(MessageCodec.encode(decoded)).isEqualTo(bytes);
      }
    }
  }

  private static @Nullable QuorumMessage decodeOrNull(byte[] bytes) {
    try {
      return MessageCodec.decode(bytes);
    } catch (EpochRangeException e) {
      return null;
    }
  }
}
