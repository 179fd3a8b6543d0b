package io.portcullis.backend.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.util.Collection;

/**
 * Limits what a server may send, before Lettuce decodes it. Lettuce itself collects a reply of any
 * announced length. It also keeps a reply that no command waits for, and would assign it to the
 * next command.
 *
 * <p>A channel that breaks a limit is closed: the failure goes to the command that waits for the
 * reply, and all later bytes are dropped.
 */
final class ReplyLimitHandler extends ChannelDuplexHandler {
  private final boolean subscriber;
  private final ReplyScanner scanner = new ReplyScanner();
  private long commands;
  private boolean refused;

  private ReplyLimitHandler(boolean subscriber) {
    this.subscriber = subscriber;
  }

  /**
   * Puts a new handler in front of Lettuce's decoder.
   *
   * @param subscriber whether the server may send messages that respond to no command
   */
  static void addTo(ChannelPipeline pipeline, boolean subscriber) {
    String decoder = pipeline.context(CommandHandler.class).name();
    pipeline.addBefore(decoder, "reply-limits", new ReplyLimitHandler(subscriber));
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    commands += message instanceof Collection<?> batch ? batch.size() : 1;
    var unused = context.write(message, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (refused) {
      bytes.release();
      return;
    }
    try {
      scanner.scan(bytes);
      if (!subscriber && scanner.begun > commands) {
        throw new InvalidReplyException("a reply that no command waits for");
      }
    } catch (InvalidReplyException e) {
      refused = true;
      bytes.release();
      if (scanner.ended < commands) {
        context.fireExceptionCaught(e); // To the command that waits; Lettuce logs it if none does.
      }
      var unused = context.close();
      return;
    }
    context.fireChannelRead(message);
  }

  /** The server sent a reply that no Redis server sends to an election. */
  static final class InvalidReplyException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidReplyException(String what) {
      super(what);
    }
  }

  /**
   * Follows the framing of RESP 2 and enforces limits on each reply: its bytes, its announced
   * lengths, its parts and their nesting. It interprets nothing but the framing.
   */
  static final class ReplyScanner {
    /** Far above the size of a reply to any command of an election. */
    static final int MAX_REPLY_BYTES = 1 << 18;

    /** Strings, numbers and lists in one reply, nested ones included. */
    static final int MAX_REPLY_PARTS = 256;

    /** Lettuce's decoder fails above 32. */
    static final int MAX_NESTING = 8;

    private static final int LINE_END_BYTES = 2;
    private static final int MAX_LENGTH_DIGITS = 10;

    private enum ParserState {
      TYPE,
      TEXT_LINE,
      LENGTH_LINE,
      BODY
    }

    private final int[] missingParts = new int[MAX_NESTING];
    private int nesting;
    private ParserState state = ParserState.TYPE;
    private boolean list;
    private boolean negative;
    private long length;
    private int digits;
    private byte previous;
    private long bodyRemaining;
    private long bytes;
    private long announced;
    private int parts;

    /** Replies that have begun to arrive. */
    long begun;

    /** Replies that have arrived. */
    long ended;

    /** Follows bytes that have arrived. */
    void scan(ByteBuf arrived) throws InvalidReplyException {
      int end = arrived.writerIndex();
      int at = arrived.readerIndex();
      while (at < end) {
        if (state == ParserState.TYPE && nesting == 0) {
          begun++;
          bytes = 0;
          announced = 0;
          parts = 0;
        }
        int step = 1;
        if (state == ParserState.BODY) {
          step = (int) Math.min(bodyRemaining, end - at);
          onBody(step);
        } else {
          onByte(arrived.getByte(at));
        }
        bytes += step;
        at += step;
        if (bytes > MAX_REPLY_BYTES) {
          throw tooLong();
        }
      }
    }

    private void onByte(byte next) throws InvalidReplyException {
      if (state == ParserState.TYPE) {
        onType(next);
        return;
      }
      boolean lineEnd = next == '\n' && previous == '\r';
      if (!lineEnd && state == ParserState.LENGTH_LINE && next != '\r') {
        onLengthByte(next);
      }
      previous = next;
      if (lineEnd && state == ParserState.LENGTH_LINE) {
        onLength();
      } else if (lineEnd) {
        onPartEnd();
      }
    }

    private void onType(byte type) throws InvalidReplyException {
      parts++;
      if (parts > MAX_REPLY_PARTS) {
        throw tooLong();
      }
      previous = 0;
      switch (type) {
        case '+', '-', ':' -> state = ParserState.TEXT_LINE;
        case '$', '*' -> {
          state = ParserState.LENGTH_LINE;
          list = type == '*';
          negative = false;
          length = 0;
          digits = 0;
        }
        default -> throw new InvalidReplyException("a reply that is not RESP 2");
      }
    }

    private void onLengthByte(byte next) throws InvalidReplyException {
      if (next == '-' && digits == 0 && !negative) {
        negative = true;
      } else if (next >= '0' && next <= '9' && digits < MAX_LENGTH_DIGITS && previous != '\r') {
        length = length * 10 + next - '0';
        digits++;
      } else {
        throw new InvalidReplyException("a reply with a length that is not a number");
      }
    }

    private void onLength() throws InvalidReplyException {
      if (digits == 0 || length > MAX_REPLY_BYTES || (negative && length != 1)) {
        throw new InvalidReplyException(
            "a reply with a part of length " + (negative ? -length : length));
      }
      announced += negative ? 0 : length;
      if (announced > MAX_REPLY_BYTES) {
        throw tooLong();
      }
      if (!negative && !list) {
        state = ParserState.BODY;
        bodyRemaining = length + LINE_END_BYTES;
      } else if (!negative && length > 0) {
        if (nesting == MAX_NESTING) {
          throw new InvalidReplyException("a reply nested too deeply");
        }
        missingParts[nesting] = (int) length;
        nesting++;
        state = ParserState.TYPE;
      } else {
        onPartEnd();
      }
    }

    private void onBody(int step) {
      bodyRemaining -= step;
      if (bodyRemaining == 0) {
        onPartEnd();
      }
    }

    private void onPartEnd() {
      state = ParserState.TYPE;
      while (nesting > 0) {
        missingParts[nesting - 1]--;
        if (missingParts[nesting - 1] > 0) {
          return;
        }
        nesting--;
      }
      ended++;
    }

    private static InvalidReplyException tooLong() {
      return new InvalidReplyException("a reply too long for any command of an election");
    }
  }
}
