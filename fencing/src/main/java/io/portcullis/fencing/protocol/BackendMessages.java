package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.protocol.FencedConnections.RefusalListener;
import io.portcullis.fencing.protocol.FrontendSession.ServerChannel;
import io.portcullis.fencing.protocol.NameTable.PreparedText;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.OwnQuery.QueryPrefix;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Parses the server's messages and hides the responses to the fence's own requests. */
final class BackendMessages {
  private static final int BODY = 5;

  /** Number of bytes of a message that must be available before it can be parsed. */
  static final int LOOKAHEAD_BYTES = 192;

  private static final int MAX_LENGTH = 1 << 30;
  private static final byte[] ENCODING = text("client_encoding");
  private static final byte[] HOT_STANDBY = text("in_hot_standby");

  /** Whether a message is passed to the driver. */
  enum Disposition {
    PASS,
    SKIP
  }

  private final ConnectionState connection;
  private final TransactionState transaction;
  private final ServerChannel channel;
  private final RefusalListener refusals;
  private final ByteBuilder inserted = new ByteBuilder();

  /** Whether the check in front of the current query has a response. */
  private boolean prefixAnswered;

  BackendMessages(ConnectionState connection, ServerChannel channel, RefusalListener refusals) {
    this.connection = connection;
    this.transaction = connection.transaction;
    this.channel = channel;
    this.refusals = refusals;
  }

  /** Bytes for the driver before the message that was parsed last, or in its place. */
  ByteBuilder inserted() {
    return inserted;
  }

  /** Parses a message whose bytes are available up to {@code there}. */
  Disposition take(byte[] bytes, int at, int there) throws IOException {
    char type = (char) bytes[at];
    if (type == 'D' && connection.pending.first() == MessageKind.EXECUTE) {
      // By far the most frequent.
      return Disposition.PASS;
    }
    if (connection.phase == ConnectionState.Phase.AUTHENTICATING) {
      return entering(type, bytes, at, there);
    }
    return switch (type) {
      case 'N', 'A' -> Disposition.PASS;
      case 'S' -> {
        parameter(bytes, at + BODY, there);
        yield Disposition.PASS;
      }
      case 'E' -> error(bytes, at, there);
      case 'Z' -> ready(bytes[at + BODY]);
      default -> answer(type, bytes, at, there);
    };
  }

  /** The whole length of a message. */
  static int total(byte[] bytes, int at) throws ProtocolViolationException {
    int length = ByteBuilder.intAt(bytes, at + 1);
    if (length < Integer.BYTES || length > MAX_LENGTH) {
      throw new ProtocolViolationException("the server sends a message of an impossible length.");
    }
    return length + 1;
  }

  private Disposition entering(char type, byte[] bytes, int at, int there)
      throws ProtocolViolationException {
    if (type == 'K' && there - at >= BODY + Integer.BYTES) {
      connection.backendPid = ByteBuilder.intAt(bytes, at + BODY);
    } else if (type == 'S') {
      parameter(bytes, at + BODY, there);
    } else if (type == 'Z') {
      connection.phase = ConnectionState.Phase.OPEN;
      transaction.start();
    }
    return Disposition.PASS;
  }

  private void parameter(byte[] bytes, int from, int there) throws ProtocolViolationException {
    int end = ByteBuilder.endOfText(bytes, from, there);
    if (isName(bytes, from, end, ENCODING)) {
      requireEncoding(value(bytes, end + 1, there));
    } else if (isName(bytes, from, end, HOT_STANDBY)) {
      connection.hotStandby = value(bytes, end + 1, there).equals("on");
    }
  }

  /** SQL is classified byte by byte, which some encodings do not allow. */
  private static void requireEncoding(String value) throws ProtocolViolationException {
    if (!value.equals("UTF8") && !value.equals("SQL_ASCII")) {
      throw new ProtocolViolationException("client_encoding is " + value + ", and has to be UTF8.");
    }
  }

  private static boolean isName(byte[] bytes, int from, int end, byte[] name) {
    return end - from == name.length && startsWith(bytes, from, name);
  }

  private static String value(byte[] bytes, int from, int there) throws ProtocolViolationException {
    int end = ByteBuilder.endOfText(bytes, from, there);
    return new String(bytes, from, end - from, StandardCharsets.US_ASCII);
  }

  private Disposition answer(char type, byte[] bytes, int at, int there) throws IOException {
    MessageKind kind = connection.pending.first();
    if (kind == null) {
      throw new ProtocolViolationException(
          "the server sent an unexpected message of the type " + type);
    }
    boolean fits =
        switch (kind) {
          case PARSE, OUR_PARSE, BIND, OUR_BIND -> accepted(kind, type);
          case CLOSE, OUR_CLOSE -> type == '3' && pop();
          case DESCRIBE_STATEMENT -> type == 't' || ((type == 'T' || type == 'n') && pop());
          case DESCRIBE -> (type == 'T' || type == 'n') && pop();
          case EXECUTE, OUR_EXECUTE -> executed(kind, type, bytes, at, there);
          case QUERY -> queried(type, bytes, at, there);
          case OUR_QUERY -> exchanged(type, bytes, at, there);
          case FUNCTION -> type == 'V';
          case SYNC, OUR_REFUSAL -> false;
        };
    if (!fits) {
      throw new ProtocolViolationException(
          "the server responds to " + kind + " with a message of the type " + type);
    }
    return kind.isOurs() || (kind == MessageKind.QUERY && skipsPrefix(type))
        ? Disposition.SKIP
        : Disposition.PASS;
  }

  private boolean pop() {
    connection.pending.pop();
    return true;
  }

  private boolean accepted(MessageKind kind, char type) {
    if (type != (kind == MessageKind.PARSE || kind == MessageKind.OUR_PARSE ? '1' : '2')) {
      return false;
    }
    if (connection.pending.subject() instanceof PreparedText text) {
      text.confirm();
    }
    return pop();
  }

  private boolean executed(MessageKind kind, char type, byte[] bytes, int at, int there) {
    return switch (type) {
      case 'C' -> {
        noteTag(bytes, at, there);
        if (connection.pending.subject() == DeferredBegin.MARKER) {
          DeferredBegin.addReply(inserted);
        }
        yield pop();
      }
      case 'I', 's' -> pop();
      case 'G' -> {
        // The server takes no notice of a Sync while it takes data.
        connection.copying = kind == MessageKind.EXECUTE;
        transaction.unanswered(connection.pending.dropSyncsBehindFirst());
        yield kind == MessageKind.EXECUTE;
      }
      case 'D', 'H', 'd', 'c' -> true;
      default -> false;
    };
  }

  private boolean queried(char type, byte[] bytes, int at, int there) {
    if (type == 'C') {
      noteTag(bytes, at, there);
    }
    return "TDCIGHWdc".indexOf(type) >= 0;
  }

  /** The first result of a query with a prefix is the prefix's. */
  private boolean skipsPrefix(char type) throws ProtocolViolationException {
    if (prefixAnswered || !(connection.pending.subject() instanceof QueryPrefix)) {
      return false;
    }
    if (type != 'T' && type != 'D' && type != 'C') {
      throw new ProtocolViolationException(
          "the server responds to an epoch check with a message of the type " + type);
    }
    prefixAnswered = type == 'C';
    return true;
  }

  private boolean exchanged(char type, byte[] bytes, int at, int there) {
    if (type == 'C' && isTag(bytes, at, there, "SELECT 0")) {
      pendingOwnQuery().empty();
    }
    return type == 'T' || type == 'D' || type == 'C';
  }

  private OwnQuery pendingOwnQuery() {
    if (connection.pending.subject() instanceof OwnQuery exchange) {
      return exchange;
    }
    throw new AssertionError("a query of ours without an exchange");
  }

  /** Forgets statements that the server discarded. */
  private void noteTag(byte[] bytes, int at, int there) {
    if (isTag(bytes, at, there, "DEALLOCATE ALL") || isTag(bytes, at, there, "DISCARD ALL")) {
      connection.statements.forgetAll();
      connection.portals.forgetAll();
      connection.forgetPrepared();
    } else if (isTag(bytes, at, there, "DEALLOCATE")) {
      connection.statements.forgetAll();
    }
  }

  private static boolean isTag(byte[] bytes, int at, int there, String tag) {
    if (there - at != BODY + tag.length() + 1) {
      return false;
    }
    for (int i = 0; i < tag.length(); i++) {
      if (bytes[at + BODY + i] != tag.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private Disposition error(byte[] bytes, int at, int there) throws IOException {
    MessageKind kind = connection.pending.first();
    String state = ErrorResponse.state(bytes, at + BODY, there);
    reportRefusal(state);
    if (kind == null || kind == MessageKind.FUNCTION || kind == MessageKind.SYNC) {
      // The session is being ended, or what the group did can't be committed.
      return Disposition.PASS;
    }
    if (connection.pending.subject() instanceof FenceRefusal refusal) {
      refusal.addErrorResponse(inserted);
      if (kind == MessageKind.OUR_REFUSAL) {
        skipGroup();
      }
      return Disposition.SKIP;
    }
    if (kind == MessageKind.OUR_QUERY) {
      if (pendingOwnQuery().letsGo()) {
        throw new ProtocolViolationException(
            "the server does not release the fence: SQLSTATE " + state);
      }
      pendingOwnQuery().refuse();
    } else if (kind != MessageKind.QUERY) {
      connection.preparesEachTime |= kind.isOurs() && ErrorResponse.isLostStatement(state);
      skipGroup();
    }
    return Disposition.PASS;
  }

  private void reportRefusal(String state) {
    FencedDatabase site = connection.site();
    long epoch = transaction.lastCheckedEpoch();
    boolean isReadOnly =
        state.equals(ErrorResponse.READ_ONLY)
            && transaction.isReadOnlyIfStale()
            && !connection.isInRecovery()
            && (epoch == 0 || site.openEpoch() != epoch);
    if (ErrorResponse.isRefusal(state)) {
      site.refused(epoch, state.equals(ErrorResponse.FORGOTTEN));
    }
    if (isReadOnly || ErrorResponse.isRefusal(state)) {
      refusals.refused(site, epoch, state);
    }
  }

  /** The server skips everything up to the next Sync, and so responds to nothing of it. */
  private void skipGroup() {
    PendingReplies pending = connection.pending;
    for (MessageKind kind = pending.first();
        kind != null && !kind.endsGroup();
        kind = pending.first()) {
      if (pending.subject() instanceof PreparedText text) {
        text.fail();
      }
      if (kind == MessageKind.OUR_PARSE) {
        connection.forgetPrepared();
      } else if (kind == MessageKind.OUR_EXECUTE && pending.subject() == DeferredBegin.MARKER) {
        DeferredBegin.addReply(inserted);
      }
      pending.pop();
    }
    connection.skipping = pending.isEmpty();
  }

  private Disposition ready(byte status) throws IOException {
    MessageKind kind = connection.pending.first();
    if (kind == null || !kind.endsGroup()) {
      throw new ProtocolViolationException(
          "the server is ready although it has not responded to " + kind);
    }
    prefixAnswered = false;
    Object subject = connection.pending.subject();
    connection.pending.pop();
    transaction.ready(status);
    if (status == 'I') {
      connection.portals.forgetNamed();
    }
    if (subject instanceof OwnQuery exchange) {
      exchange.end();
      if (exchange.letsGo()) {
        inserted.add('Z').addInt(BODY).add(status);
        return Disposition.SKIP;
      }
      return exchange.isRefused() ? Disposition.PASS : Disposition.SKIP;
    }
    if (connection.holding) {
      letGo(status);
      return Disposition.SKIP;
    }
    connection.fastPath.ready();
    return Disposition.PASS;
  }

  private void letGo(byte status) throws IOException {
    EpochCheckSql held = connection.heldBy;
    if (held == null || status == 'E' || transaction.isGroupBegun()) {
      throw new ProtocolViolationException(
          "the fence can't be released in a transaction that has failed.");
    }
    connection.holding = false;
    ByteBuilder message = new ByteBuilder();
    int mark = message.begin('Q');
    message.addText(held.letGo());
    message.end(mark);
    connection.pending.add(MessageKind.OUR_QUERY, OwnQuery.after());
    transaction.endGroup();
    channel.send(message.array(), 0, message.length());
    channel.flush();
  }

  private static boolean startsWith(byte[] bytes, int from, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (bytes[from + i] != text[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] text(String ascii) {
    return ascii.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads the server's errors. */
  static final class ErrorResponse {
    /** As the check raises them; see the functions' definition. */
    static final String STALE = "PCF01";

    static final String FORGOTTEN = "PCF02";
    static final String READ_ONLY = "25006";
    private static final String NO_SUCH_STATEMENT = "26000";
    private static final String STATEMENT_EXISTS = "42P05";

    private static final int STATE_LENGTH = 5;

    private ErrorResponse() {}

    /** The SQLSTATE of the error whose fields begin here; empty if it is not among the first. */
    static String state(byte[] bytes, int from, int limit) {
      int at = from;
      while (at < limit && bytes[at] != 0) {
        if (bytes[at] == 'C' && at + STATE_LENGTH < limit) {
          return new String(bytes, at + 1, STATE_LENGTH, StandardCharsets.US_ASCII);
        }
        do {
          at++;
        } while (at < limit && bytes[at] != 0);
        at++;
      }
      return "";
    }

    static boolean isRefusal(String state) {
      return state.equals(STALE) || state.equals(FORGOTTEN);
    }

    /** Whether sessions have been changed since a statement was prepared. */
    static boolean isLostStatement(String state) {
      return state.equals(NO_SUCH_STATEMENT) || state.equals(STATEMENT_EXISTS);
    }
  }
}
