package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.NameTable.PreparedText;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlEffect;

/**
 * The short way for a group that only reads, by a prepared statement, while nothing else is under
 * way: it passes as it is, and so does the usual answer. Whatever is not exactly that is followed
 * message by message.
 */
final class ReadOnlyFastPath {
  private static final int HEADER = 5;

  /** Of a portal: so long a message leaves no room for its name. */
  private static final int DESCRIBE = 7;

  private static final int EXECUTE = 10;
  private static final int SYNC = 5;
  private static final int READY = 6;
  private static final byte[] NO_NAME = {};

  private final ConnectionState connection;

  /** Of what the driver has sent, something is kept back or still to come. */
  private boolean amid;

  /** Outside of any transaction, with everything sent and answered. */
  private boolean atRest;

  private boolean underWay;
  private boolean describes;

  ReadOnlyFastPath(ConnectionState dialogue) {
    this.connection = dialogue;
  }

  /** Whether a group is under way of which no account was kept. */
  boolean isUnderWay() {
    return underWay;
  }

  /** The driver has sent something that was followed, or the beginning of it. */
  void followed(boolean toItsEnd) {
    atRest = false;
    amid = !toItsEnd;
  }

  /** The server has answered a group of the driver's that was followed. */
  void ready() {
    atRest = !amid && connection.pending.isEmpty() && connection.transaction.isSurelyIdle();
  }

  /** Whether these bytes are such a group from its beginning to its end; then it is under way. */
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

  /** Whether a statement that only reads is bound here to the portal without a name. */
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

  /** Whether these bytes are the whole of the usual answer; then the group is over. */
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

  /** Where the next message begins, if that is before the end or at it. */
  private static int next(byte[] bytes, int at, int end) {
    int length = end - at < HEADER ? 0 : ByteBuilder.intAt(bytes, at + 1);
    return length < Integer.BYTES || length >= end - at ? Integer.MAX_VALUE : at + 1 + length;
  }

  /** Has the group under way, if one is, followed like any other from now on. */
  void fallBack() throws ProtocolViolationException {
    if (underWay) {
      underWay = false;
      atRest = false;
      TransactionState standing = connection.transaction;
      standing.touch(connection.site());
      PreparedText portal = new PreparedText(SqlEffect.READ, standing.group());
      connection.portals.put(NO_NAME, 0, 0, portal);
      PendingReplies pending = connection.pending;
      pending.add(MessageKind.BIND, portal);
      if (describes) {
        pending.add(MessageKind.DESCRIBE, null);
      }
      pending.add(MessageKind.EXECUTE, null);
      pending.add(MessageKind.SYNC, null);
      standing.endGroup();
    }
  }
}
