package io.portcullis.fencing.protocol;

import java.io.IOException;

/**
 * Buffer of bytes that the server has sent and the driver has not yet read. Messages are parsed in
 * place; those that are not for the driver are skipped.
 */
final class ServerBuffer {
  static final int BUFFER_BYTES = 1 << 14;

  /** Minimum size of a driver's read that is worth reading directly into its buffer. */
  static final int MIN_DIRECT_READ_BYTES = 1 << 10;

  private static final int HEADER = 5;
  private static final int MAX_STORED = 1 << 22;

  private final ConnectionState connection;
  private final BackendMessages replies;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Start of the data ready for the driver. */
  private int from;

  /** End of the data ready for the driver; received data that was not parsed yet follows. */
  private int to;

  /** End of received data. */
  private int limit;

  /** Remaining bytes of the current message to forward to the driver, or to skip. */
  private int passing;

  private int skipping;

  /** Bytes that the driver must read before all others. */
  private final ByteBuilder stored = new ByteBuilder();

  private int storedFrom;

  ServerBuffer(ConnectionState connection, BackendMessages replies) {
    this.connection = connection;
    this.replies = replies;
  }

  byte[] buffer() {
    return buffer;
  }

  /** Position for the next bytes; call {@link #received} after writing them. */
  int space() {
    if (to > 0 && from == to) {
      System.arraycopy(buffer, to, buffer, 0, limit - to);
      limit -= to;
      from = 0;
      to = 0;
    }
    return limit;
  }

  void received(int count) {
    limit += count;
  }

  /** Whether there are no bytes to read and none to parse. */
  boolean isEmpty() {
    return from == limit && storedFrom == stored.length();
  }

  /** Number of bytes that the driver may read at once, after parsing all received data. */
  int ready() throws IOException {
    if (storedFrom == stored.length() && from == to) {
      follow();
    }
    int waiting = stored.length() - storedFrom;
    return waiting > 0 ? waiting : to - from;
  }

  /** Remaining bytes of a message that only the driver needs. */
  int passing() {
    return isEmpty() ? passing : 0;
  }

  /** Subtracts forwarded bytes. */
  void passed(int count) {
    passing -= count;
  }

  /** Copies data that is ready. */
  int take(byte[] target, int offset, int count) {
    if (storedFrom < stored.length()) {
      int some = Math.min(count, stored.length() - storedFrom);
      System.arraycopy(stored.array(), storedFrom, target, offset, some);
      storedFrom += some;
      if (storedFrom == stored.length()) {
        stored.clear();
        storedFrom = 0;
      }
      return some;
    }
    int some = Math.min(count, to - from);
    System.arraycopy(buffer, from, target, offset, some);
    from += some;
    return some;
  }

  /** Parses all received data, and stores what the driver is to read of it. */
  void followAndStore() throws IOException {
    do {
      store();
      follow();
    } while (from < to);
    if (stored.length() > MAX_STORED) {
      throw new ProtocolViolationException("the server sends too much before it responds.");
    }
  }

  private void store() {
    stored.add(buffer, from, to - from);
    from = to;
  }

  /** Follows messages up to the first that the driver must not read. */
  private void follow() throws IOException {
    connection.fastPath.fallBack();
    while (true) {
      if (connection.phase == ConnectionState.Phase.UNFENCED) {
        to = limit;
        return;
      }
      if (connection.phase == ConnectionState.Phase.STARTUP) {
        passStartupReply();
        return;
      }
      int some = Math.min(passing, limit - to);
      to += some;
      passing -= some;
      if (passing > 0 || (skipping > 0 && from < to)) {
        return;
      }
      some = Math.min(skipping, limit - to);
      skipping -= some;
      to += some;
      from = skipping > 0 || some > 0 ? to : from;
      if (skipping > 0 || !look(buffer, to, limit)) {
        return;
      }
    }
  }

  /**
   * Follows messages where the driver has them already.
   *
   * @return how much of it the driver may keep; the rest lies here now. To be called only if
   *     nothing did before
   */
  int followThere(byte[] bytes, int start, int end) throws IOException {
    if (connection.fastPath.isUnderWay()) {
      if (passing == 0 && skipping == 0 && connection.fastPath.end(bytes, start, end)) {
        return end - start;
      }
      connection.fastPath.fallBack();
    }
    int at = start + Math.min(passing, end - start);
    passing -= at - start;
    while (skipping == 0
        && look(bytes, at, end)
        && skipping == 0
        && storedFrom == stored.length()) {
      int some = Math.min(passing, end - at);
      passing -= some;
      at += some;
    }
    from = 0;
    to = 0;
    limit = end - at;
    System.arraycopy(bytes, at, buffer, 0, limit);
    return at - start;
  }

  /** Looks at the message that begins here, if enough of it is there. */
  private boolean look(byte[] bytes, int at, int end) throws IOException {
    int there = end - at;
    if (there < HEADER) {
      return false;
    }
    int total = BackendMessages.total(bytes, at);
    if (there < Math.min(total, BackendMessages.LOOKAHEAD_BYTES)) {
      return false;
    }
    if (replies.take(bytes, at, at + Math.min(total, there)) == BackendMessages.Disposition.PASS) {
      passing = total;
    } else {
      skipping = total;
    }
    ByteBuilder inserted = replies.inserted();
    if (!inserted.isEmpty()) {
      store();
      stored.add(inserted.array(), 0, inserted.length());
      inserted.clear();
    }
    return true;
  }

  private void passStartupReply() throws IOException {
    if (limit > to && connection.encryptionAsked == 'G' && buffer[to] == 'G') {
      throw new ProtocolViolationException(
          "it can't be followed under GSS encryption. Set gssEncMode=disable.");
    }
    to = limit;
  }
}
