package io.portcullis.backend.redis;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * What a server says, one reply at a time, each of bounded length. The client makes room for as
 * much as a server announces, before it has sent any of it: a few bytes from a broken or strange
 * server would cost the application its memory.
 */
final class ReplyStream extends RedisInputStream {
  /** Far more than a reply to any command of an election has. */
  static final int MAX_BYTES = 1 << 18;

  /** Texts and lists in one reply; also the most that lists may be nested. */
  static final int MAX_PARTS = 256;

  private final Meter meter;
  private long announced;
  private int parts;

  ReplyStream(InputStream in, int buffer) {
    this(new Meter(in), buffer);
  }

  private ReplyStream(Meter meter, int buffer) {
    super(meter, buffer);
    this.meter = meter;
  }

  /** A new reply begins. */
  void begin() {
    meter.left = MAX_BYTES;
    announced = 0;
    parts = 0;
  }

  /** Whether all that has arrived here was read. */
  boolean isDrained() {
    return count >= limit;
  }

  /** How long a text or a list is going to be. */
  @Override
  public int readIntCrLf() {
    long length = readLongCrLf();
    if (length < -1 || length > MAX_BYTES) {
      throw new JedisConnectionException("a reply with a part of length " + length);
    }
    announced += Math.max(0, length);
    parts++;
    if (announced > MAX_BYTES || parts > MAX_PARTS) {
      throw new JedisConnectionException("a reply too long for any command of an election");
    }
    return (int) length;
  }

  /** Ends replies that have no announced length. */
  private static final class Meter extends FilterInputStream {
    private int left;

    Meter(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (left <= 0) {
        throw new IOException("a reply too long for any command of an election");
      }
      int read = super.read(buffer, offset, Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }
  }
}
