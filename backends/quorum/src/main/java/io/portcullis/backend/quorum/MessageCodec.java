package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.machine.QuorumMessage;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.ReleasedReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes messages: a kind, the sequence, then the fields in order, numbers big-endian.
 * The kinds and their fields are part of the protocol version: a change to either needs a new
 * version.
 */
final class MessageCodec {
  /** Maximum length of an encoded message. */
  private static final int MAX_MESSAGE_BYTES = 40;

  private MessageCodec() {}

  static byte[] encode(QuorumMessage message) {
    ByteBuffer to =
        ByteBuffer.allocate(MAX_MESSAGE_BYTES).put(kindOf(message)).putLong(message.sequence());
    if (message instanceof Report report) {
      to.putLong(report.term()).put(flag(report.voter())).putLong(report.leaseMillis());
    } else if (message instanceof PreVote preVote) {
      to.putLong(preVote.term()).putInt(preVote.priority()).putLong(preVote.uptimeSeconds());
    } else if (message instanceof PreVoteReply reply) {
      to.putLong(reply.term()).put(flag(reply.granted())).put((byte) reply.leader());
      to.putLong(reply.leaderTerm()).putLong(reply.remainingMillis());
    } else if (message instanceof RequestVote request) {
      to.putLong(request.term());
    } else if (message instanceof VoteReply reply) {
      to.putLong(reply.term()).put(flag(reply.granted()));
    } else if (message instanceof Heartbeat heartbeat) {
      to.putLong(heartbeat.term()).putLong(heartbeat.leaseMillis());
    } else if (message instanceof HeartbeatReply reply) {
      to.putLong(reply.term()).put(flag(reply.promised())).put(flag(reply.willing()));
      to.putInt(reply.priority());
    } else if (message instanceof Released released) {
      to.putLong(released.term()).put((byte) released.next());
    } else if (message instanceof ReleasedReply reply) {
      to.putLong(reply.term());
    }
    return Arrays.copyOf(to.array(), to.position());
  }

  /**
   * Decodes a message; null if the bytes are not a message of this version.
   *
   * @throws EpochRangeException if its term is outside the range of epochs
   */
  static @Nullable QuorumMessage decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      QuorumMessage message = read(from.get(), from.getLong(), from);
      return from.hasRemaining() ? null : message;
    } catch (EpochRangeException e) {
      throw e;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  private static byte kindOf(QuorumMessage message) {
    if (message instanceof Probe) {
      return 1;
    } else if (message instanceof Report) {
      return 2;
    } else if (message instanceof PreVote) {
      return 3;
    } else if (message instanceof PreVoteReply) {
      return 4;
    } else if (message instanceof RequestVote) {
      return 5;
    } else if (message instanceof VoteReply) {
      return 6;
    } else if (message instanceof Heartbeat) {
      return 7;
    } else if (message instanceof HeartbeatReply) {
      return 8;
    } else if (message instanceof Released) {
      return 9;
    }
    return 10;
  }

  private static QuorumMessage read(byte kind, long sequence, ByteBuffer from) {
    return switch (kind) {
      case 1 -> new Probe(sequence);
      case 2 -> new Report(sequence, term(from), flag(from), count(from));
      case 3 -> new PreVote(sequence, term(from), from.getInt(), count(from));
      case 4 ->
          new PreVoteReply(sequence, term(from), flag(from), from.get(), term(from), count(from));
      case 5 -> new RequestVote(sequence, term(from));
      case 6 -> new VoteReply(sequence, term(from), flag(from));
      case 7 -> new Heartbeat(sequence, term(from), count(from));
      case 8 -> new HeartbeatReply(sequence, term(from), flag(from), flag(from), from.getInt());
      case 9 -> new Released(sequence, term(from), from.get());
      case 10 -> new ReleasedReply(sequence, term(from));
      default -> throw new IllegalArgumentException("unknown kind " + kind);
    };
  }

  private static long term(ByteBuffer from) {
    return EpochRange.check(from.getLong());
  }

  private static long count(ByteBuffer from) {
    long value = from.getLong();
    if (value < 0) {
      throw new IllegalArgumentException("negative: " + value);
    }
    return value;
  }

  private static byte flag(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  private static boolean flag(ByteBuffer from) {
    byte value = from.get();
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("not a boolean: " + value);
    }
    return value == 1;
  }
}
