package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.NameTable.PreparedText;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlEffect;

/**
 * Fast path for a group that only executes a read-only prepared statement while nothing else is in
 * flight: the group passes unchanged, and so does the usual response. Everything else is parsed
 * message by message.
 */
final class ReadOnlyFastPath {
  private static final int HEADER = 5;

  /** Length of a Describe of the unnamed portal; a named one is longer. */
  private static final int DESCRIBE = 7;

  private static final int EXECUTE = 10;
  private static final int SYNC = 5;
  private static final int READY = 6;
  private static final byte[] NO_NAME = {};

  private final ConnectionState connection;

  /** A part of the driver's last message is held back or still to come. */
  private boolean incomplete;

  /** Outside any transaction, with a response to everything sent. */
  private boolean atRest;

  private boolean underWay;
  private boolean describes;

  ReadOnlyFastPath(ConnectionState connection) {
    this.connection = connection;
  }

  /** Whether a group is in flight on the fast path, which is not in the pending replies. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Called when messages of the driver, or the beginning of one, were parsed individually. */
  void followed(boolean toItsEnd) {
    atRest = false;
    incomplete = !toItsEnd;
  }

  /** Called when the server has responded to a group that was parsed individually. */
  void ready() {
    atRest = !incomplete && connection.pending.isEmpty() && connection.transaction.isSurelyIdle();
  }

  /** Whether these bytes are exactly one such group; if so, it is now in flight. */
  boolean begin(byte[] bytes, int from, int end) {
    underWay = atRest && isGroup(bytes, from, end);
    return underWay;
  }

  private boolean isGroup(byte[] bytes, int from, int end) {
    if (end - from < HEADER || bytes[from] != 'B') {
      return false;
    }
    int length = ByteBuilder.intAt(bytes, from + 1);
    if (length < HEADER + 1 || length > end - from) {
      return false;
    }
    int bound = from + 1 + length;
    int execute = end - EXECUTE - SYNC;
    describes = bound == execute - DESCRIBE;
    return (describes || bound == execute)
        && reads(bytes, from + HEADER, bound)
        && (!describes || describes(bytes, bound))
        && is(bytes, execute, 'E', EXECUTE)
        && is(bytes, end - SYNC, 'S', SYNC);
  }

  /** Whether this Bind binds a read-only statement to the unnamed portal. */
  private boolean reads(byte[] bytes, int from, int end) {
    int name = from + 1;
    int nameEnd = name;
    while (nameEnd < end && bytes[nameEnd] != 0) {
      nameEnd++;
    }
    if (bytes[from] != 0 || nameEnd == end) {
      return false;
    }
    PreparedText text = connection.statements.find(bytes, name, nameEnd);
    return text != null && text.verdict(connection.transaction.group()) == SqlEffect.READ;
  }

  private static boolean describes(byte[] bytes, int at) {
    return is(bytes, at, 'D', DESCRIBE) && bytes[at + HEADER] == 'P';
  }

  private static boolean is(byte[] bytes, int at, char type, int total) {
    return bytes[at] == type && ByteBuilder.intAt(bytes, at + 1) == total - 1;
  }

  /** Whether these bytes are exactly the usual response; if so, the group is complete. */
  boolean end(byte[] bytes, int from, int end) {
    underWay = !isAnswer(bytes, from, end);
    return !underWay;
  }

  private boolean isAnswer(byte[] bytes, int from, int end) {
    int ready = end - READY;
    int at = from + HEADER;
    if (at > ready || !is(bytes, from, '2', HEADER) || !is(bytes, ready, 'Z', READY)) {
      return false;
    }
    if (describes) {
      at = bytes[at] == 'T' ? next(bytes, at, ready) : ready;
    }
    while (at < ready && bytes[at] == 'D') {
      at = next(bytes, at, ready);
    }
    return at < ready
        && bytes[at] == 'C'
        && next(bytes, at, ready) == ready
        && bytes[end - 1] == 'I';
  }

  /** Start of the next message if that is at most {@code end}; otherwise a larger value. */
  private static int next(byte[] bytes, int at, int end) {
    int length = end - at < HEADER ? 0 : ByteBuilder.intAt(bytes, at + 1);
    return length < Integer.BYTES || length >= end - at ? Integer.MAX_VALUE : at + 1 + length;
  }

  /** Moves the group in flight, if any, from the fast path to the pending replies. */
  void fallBack() throws ProtocolViolationException {
    if (underWay) {
      underWay = false;
      atRest = false;
      TransactionState transaction = connection.transaction;
      transaction.touch(connection.site());
      PreparedText portal = new PreparedText(SqlEffect.READ, transaction.group());
      connection.portals.put(NO_NAME, 0, 0, portal);
      PendingReplies pending = connection.pending;
      pending.add(MessageKind.BIND, portal);
      if (describes) {
        pending.add(MessageKind.DESCRIBE, null);
      }
      pending.add(MessageKind.EXECUTE, null);
      pending.add(MessageKind.SYNC, null);
      transaction.endGroup();
    }
  }
}
