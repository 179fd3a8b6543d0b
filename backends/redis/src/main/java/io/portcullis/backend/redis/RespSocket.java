package io.portcullis.backend.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.backend.redis.RedisAddress.Host;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.args.RawableFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * A connection over which one command at a time is said and its reply awaited, in RESP 2.
 *
 * <p>Of the client only the protocol is used: its connections would open themselves anew when a
 * command finds them closed, and its sockets bound a single read instead of a reply. This one is
 * opened when told so and never by itself. All methods block and belong to one thread at a time,
 * but {@link #cut}, by which any other ends whatever is under way: that is the bound for all of
 * them.
 */
final class RespSocket {
  private static final int BUFFER_BYTES = 8192;
  private static final int IDLE_CHECK_MILLIS = 1;

  private volatile @Nullable Socket plain;
  private volatile boolean cut;
  private @Nullable Socket socket;
  private @Nullable BoundedReplyStream in;
  private @Nullable RedisOutputStream out;
  private int readTimeoutMillis;

  /**
   * Connects to a server; if it was connected to another, that one is left.
   *
   * @param millis the longest that the server may take to accept, and then be silent
   * @param tls whom to trust, null for plain text
   */
  void connect(Host host, int millis, @Nullable RedisTls tls) throws IOException {
    close(plain);
    // Past the application's settings for proxies, which are not meant for the agent.
    Socket made = new Socket(Proxy.NO_PROXY);
    plain = made;
    if (cut) {
      close(made);
      throw new SocketException("given up");
    }
    made.setTcpNoDelay(true);
    made.setKeepAlive(true);
    made.setSoTimeout(millis);
    made.connect(new InetSocketAddress(host.name(), host.port()), millis);
    Socket spoken = tls == null ? made : tls.wrap(made, host);
    readTimeoutMillis = millis;
    in = new BoundedReplyStream(spoken.getInputStream(), BUFFER_BYTES);
    out = new RedisOutputStream(spoken.getOutputStream(), BUFFER_BYTES);
    socket = spoken;
  }

  /** Says a command and awaits the reply: text, a number, a list of these, or null. */
  @Nullable Object call(String... words) throws IOException, RedisErrorException {
    RedisOutputStream to = Objects.requireNonNull(out, "not connected");
    byte[] name = words[0].getBytes(UTF_8);
    CommandArguments command = new CommandArguments(() -> name);
    for (int i = 1; i < words.length; i++) {
      command.add(RawableFactory.from(words[i]));
    }
    try {
      Protocol.sendCommand(to, command);
    } catch (JedisException e) {
      throw broken(e);
    }
    to.flush();
    return readReply();
  }

  /** Awaits the next reply. */
  @Nullable Object readReply() throws IOException, RedisErrorException {
    BoundedReplyStream from = Objects.requireNonNull(in, "not connected");
    from.begin();
    try {
      return text(Protocol.read(from, null)); // RESP 2 has no push messages: one ends this wire.
    } catch (JedisDataException e) {
      throw new RedisErrorException(utf8(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  /** From now on the server may be silent for as long as it likes. */
  void disableReadTimeout() throws IOException {
    Objects.requireNonNull(socket, "not connected").setSoTimeout(0);
  }

  /**
   * False if the server has hung up, or has said something that nobody asked for. Looking takes a
   * millisecond.
   */
  boolean isIdle() {
    Socket spoken = Objects.requireNonNull(socket, "not connected");
    if (!Objects.requireNonNull(in).isDrained()) {
      return false;
    }
    try {
      spoken.setSoTimeout(IDLE_CHECK_MILLIS);
      spoken.getInputStream().read();
      return false;
    } catch (SocketTimeoutException e) {
      return restoreReadTimeout(spoken);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean restoreReadTimeout(Socket spoken) {
    try {
      spoken.setSoTimeout(readTimeoutMillis);
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  /** Ends it for good, from any thread and without waiting. */
  void cut() {
    cut = true;
    close(plain);
  }

  boolean isCut() {
    return cut;
  }

  /** Below TLS, whose own goodbye could wait for a peer that does not read. */
  private static void close(@Nullable Socket open) {
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      return; // It is closed all the same.
    }
  }

  private static IOException broken(RuntimeException failure) {
    return failure.getCause() instanceof IOException cause
        ? cause
        : new IOException(String.valueOf(failure.getMessage()), failure);
  }

  private static @Nullable Object text(@Nullable Object reply) throws IOException {
    if (reply == null || reply instanceof Long) {
      return reply;
    }
    if (reply instanceof byte[] bytes) {
      return new String(bytes, UTF_8);
    }
    if (reply instanceof List<?> parts) {
      List<@Nullable Object> texts = new ArrayList<>(parts.size());
      for (Object part : parts) {
        texts.add(text(part));
      }
      return texts;
    }
    throw new IOException("a reply of a kind that was not asked for");
  }

  /** The client takes each byte of an error for a character. */
  private static String utf8(String error) {
    byte[] bytes = new byte[error.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) error.charAt(i);
    }
    return new String(bytes, UTF_8);
  }

  /**
   * What a server says, one reply at a time, each of bounded length. The client makes room for as
   * much as a server announces, before it has sent any of it: a few bytes from a broken or strange
   * server would cost the application its memory.
   */
  static final class BoundedReplyStream extends RedisInputStream {
    /** Far more than a reply to any command of an election has. */
    static final int MAX_REPLY_BYTES = 1 << 18;

    /** Texts and lists in one reply; also the most that lists may be nested. */
    static final int MAX_REPLY_PARTS = 256;

    private final LimitedInputStream meter;
    private long announced;
    private int parts;

    BoundedReplyStream(InputStream in, int buffer) {
      this(new LimitedInputStream(in), buffer);
    }

    private BoundedReplyStream(LimitedInputStream meter, int buffer) {
      super(meter, buffer);
      this.meter = meter;
    }

    /** A new reply begins. */
    void begin() {
      meter.left = MAX_REPLY_BYTES;
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
      if (length < -1 || length > MAX_REPLY_BYTES) {
        throw new JedisConnectionException("a reply with a part of length " + length);
      }
      announced += Math.max(0, length);
      parts++;
      if (announced > MAX_REPLY_BYTES || parts > MAX_REPLY_PARTS) {
        throw new JedisConnectionException("a reply too long for any command of an election");
      }
      return (int) length;
    }

    /** Ends replies that have no announced length. */
    private static final class LimitedInputStream extends FilterInputStream {
      private int left;

      LimitedInputStream(InputStream in) {
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

  /** A server's answer that it won't: nothing was changed, and the connection is sound. */
  static final class RedisErrorException extends Exception {
    private static final long serialVersionUID = 1;

    RedisErrorException(String said) {
      super(said, null, false, false);
    }
  }
}
