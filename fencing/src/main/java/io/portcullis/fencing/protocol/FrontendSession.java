package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.NameTable.PreparedText;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.SqlEffect;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Parses driver messages and inserts an epoch check before the first statement that may write. */
final class FrontendSession {
  private static final int HEADER = 5;

  private final ConnectionState connection;
  private final TransactionState transaction;
  private final ServerChannel channel;
  private final EpochCheckInjector checkInjector;

  /** The driver already has the response to this group, so the rest of it is not sent. */
  private boolean dropping;

  FrontendSession(ConnectionState connection, ServerChannel channel) {
    this.connection = connection;
    this.transaction = connection.transaction;
    this.channel = channel;
    this.checkInjector = new EpochCheckInjector(connection, channel);
  }

  /** Whether the rest of a group is still to come and must be dropped. */
  boolean isDropping() {
    return dropping;
  }

  /** Called when the driver flushes. */
  void flush() throws IOException {
    checkInjector.sendBegin();
  }

  /** Called before a message is passed on whose body is not inspected. */
  void stream(char type) throws IOException {
    checkInjector.sendBegin();
    if (type == 'p' && connection.phase != ConnectionState.Phase.AUTHENTICATING) {
      throw new ProtocolViolationException("the driver sends a password where none was asked for.");
    }
    if (type != 'p') {
      requireOpen(type);
    }
  }

  /** Called before a fast-path call is passed on; false if it must not be sent. */
  boolean function() throws IOException {
    if (connection.skipping) {
      return true;
    }
    if (!transaction.isGroupBegun()) {
      channel.await(transaction::isSettled);
    }
    transaction.touch(connection.site());
    return checkInjector.beforeFunction();
  }

  /**
   * Processes a message, or the beginning of a Bind message, and sends it on.
   *
   * @param end end of the bytes that are available
   * @return whether the rest of the message must be sent, too
   */
  boolean message(byte[] bytes, int at, int end) throws IOException {
    char type = (char) bytes[at];
    if (type != 'X') {
      requireOpen(type);
    }
    if (dropping && type != 'X') {
      dropping = type != 'S';
      return false;
    }
    if (type != 'B') {
      checkInjector.sendBegin();
    }
    int body = at + HEADER;
    boolean sends =
        switch (type) {
          case 'P' -> parse(bytes, body, end);
          case 'B' -> bind(bytes, body, end);
          case 'D' -> describe(bytes, body);
          case 'C' -> close(bytes, body, end);
          case 'E' -> execute(bytes, body, end);
          case 'S' -> sync();
          case 'Q' -> query(bytes, body, end);
          case 'c', 'f' -> endCopy();
          case 'H', 'X' -> true;
          default ->
              throw new ProtocolViolationException(
                  "the driver sends a message of the unknown type " + type);
        };
    if (sends) {
      channel.send(bytes, at, end - at);
    }
    return sends;
  }

  private void requireOpen(char type) throws IOException {
    if (connection.phase != ConnectionState.Phase.OPEN) {
      throw new ProtocolViolationException(
          "the driver sends a message too early, of the type " + type);
    }
    if (connection.holding && connection.heldGroup != transaction.group()) {
      // The fence is released once the server has responded to the group, and before anything else
      // is sent.
      channel.await(() -> !connection.holding && transaction.isSettled());
    }
  }

  private boolean parse(byte[] bytes, int body, int end) throws IOException {
    int nameEnd = ByteBuilder.endOfText(bytes, body, end);
    int textEnd = ByteBuilder.endOfText(bytes, nameEnd + 1, end);
    if (connection.skipping) {
      connection.statements.forget(bytes, body, nameEnd);
      return true;
    }
    SqlEffect verdict = SqlClassifier.classify(bytes, nameEnd + 1, textEnd);
    if (!holdsFor(verdict)) {
      return false;
    }
    PreparedText text = new PreparedText(verdict, transaction.group());
    connection.statements.put(bytes, body, nameEnd, text);
    connection.pending.add(MessageKind.PARSE, text);
    return true;
  }

  private boolean bind(byte[] bytes, int body, int end) throws IOException {
    int portalEnd = ByteBuilder.endOfText(bytes, body, end);
    int nameEnd = ByteBuilder.endOfText(bytes, portalEnd + 1, end);
    if (connection.skipping) {
      checkInjector.sendBegin();
      connection.portals.forget(bytes, body, portalEnd);
      return true;
    }
    SqlEffect verdict = verdict(connection.statements.find(bytes, portalEnd + 1, nameEnd));
    if (!EpochCheckInjector.comparesBeforeBind(verdict)) {
      checkInjector.sendBegin();
    }
    if (!holdsFor(verdict)) {
      return false;
    }
    checkInjector.beforeBind(verdict, portalEnd == body);
    PreparedText portal = new PreparedText(verdict, transaction.group());
    connection.portals.put(bytes, body, portalEnd, portal);
    connection.pending.add(MessageKind.BIND, portal);
    return true;
  }

  /** Locks the fence if a group begins that runs outside a transaction; false if refused. */
  private boolean holdsFor(SqlEffect verdict) throws IOException {
    if (beginsAlone(verdict)) {
      dropping = !checkInjector.hold();
      if (!dropping) {
        transaction.touch(connection.site());
      }
    }
    return !dropping;
  }

  /** Called before a statement is sent: whether the fence must be locked for its session. */
  private boolean beginsAlone(SqlEffect verdict) throws IOException {
    boolean isAlone = verdict == SqlEffect.OUTSIDE_TRANSACTION && !transaction.isGroupBegun();
    if (isAlone) {
      // It depends on whether a transaction is open, and earlier groups may be unanswered.
      channel.await(transaction::isSettled);
    }
    transaction.touch(connection.site());
    return isAlone && transaction.isSurelyIdle() && !checkInjector.isExempt();
  }

  private SqlEffect verdict(@Nullable PreparedText text) {
    return text == null ? PreparedText.UNKNOWN : text.verdict(transaction.group());
  }

  private boolean describe(byte[] bytes, int body) throws ProtocolViolationException {
    if (!connection.skipping) {
      transaction.touch(connection.site());
      connection.pending.add(
          bytes[body] == 'S' ? MessageKind.DESCRIBE_STATEMENT : MessageKind.DESCRIBE, null);
    }
    return true;
  }

  private boolean close(byte[] bytes, int body, int end) throws ProtocolViolationException {
    NameTable names = bytes[body] == 'S' ? connection.statements : connection.portals;
    names.forget(bytes, body + 1, ByteBuilder.endOfText(bytes, body + 1, end));
    if (!connection.skipping) {
      connection.pending.add(MessageKind.CLOSE, null);
    }
    return true;
  }

  private boolean execute(byte[] bytes, int body, int end) throws IOException {
    if (connection.skipping) {
      return true;
    }
    transaction.touch(connection.site());
    int nameEnd = ByteBuilder.endOfText(bytes, body, end);
    SqlEffect verdict = verdict(connection.portals.find(bytes, body, nameEnd));
    checkInjector.beforeExecute(verdict);
    connection.pending.add(MessageKind.EXECUTE, null);
    if (verdict != SqlEffect.OUTSIDE_TRANSACTION || !transaction.isSurelyOpen()) {
      follow(verdict);
    }
    return true;
  }

  private void follow(SqlEffect verdict) {
    if (verdict == SqlEffect.DEALLOCATE
        || verdict == SqlEffect.DISCARD
        || verdict == PreparedText.UNKNOWN) {
      checkInjector.mayForget();
    }
    if (verdict == SqlEffect.BEGIN) {
      transaction.begin();
    } else if (verdict.ends()) {
      transaction.end();
    }
  }

  private boolean sync() throws ProtocolViolationException {
    if (!connection.copying) {
      connection.pending.add(MessageKind.SYNC, null);
      connection.skipping = false;
      transaction.endGroup();
    }
    return true;
  }

  private boolean endCopy() {
    connection.copying = false;
    return true;
  }

  private boolean query(byte[] bytes, int body, int end) throws IOException {
    if (connection.skipping) {
      return true;
    }
    int textEnd = ByteBuilder.endOfText(bytes, body, end);
    if (connection.replication && ReplicationCommand.matches(bytes, body, textEnd)) {
      transaction.touch(connection.site());
      connection.pending.add(MessageKind.QUERY, null);
      transaction.endGroup();
      return true;
    }
    boolean isBegin = !transaction.isGroupBegun() && DeferredBegin.isText(bytes, body, textEnd);
    if (isBegin && checkInjector.defersBegin()) {
      transaction.touch(connection.site());
      return false;
    }
    SqlEffect verdict = SqlClassifier.classify(bytes, body, textEnd);
    boolean isAlone = beginsAlone(verdict);
    boolean sends;
    if (checkInjector.isExempt()) {
      connection.pending.add(MessageKind.QUERY, null);
      sends = true;
    } else if (verdict.isRefused()) {
      checkInjector.refuseQuery(
          verdict == SqlEffect.MIXED ? FenceRefusal.MIXED : FenceRefusal.TWO_PHASE);
      sends = false;
    } else if (isAlone) {
      if (!checkInjector.hold()) {
        return false;
      }
      connection.pending.add(MessageKind.QUERY, null);
      sends = true;
    } else if (verdict.need() != FenceRequirement.NOTHING
        && !transaction.isChecked(verdict.need())) {
      checkInjector.prefix(verdict.need(), bytes, body, textEnd);
      sends = false;
    } else {
      connection.pending.add(MessageKind.QUERY, null);
      sends = true;
    }
    follow(verdict);
    transaction.endGroup();
    return sends;
  }

  /** Sends messages to the server and waits for its replies. */
  interface ServerChannel {
    /** Sends bytes; may buffer them until {@link #flush}. */
    void send(byte[] bytes, int from, int count) throws IOException;

    /** Sends all buffered bytes. */
    void flush() throws IOException;

    /** Sends all buffered bytes, and processes the server's replies until the condition holds. */
    void await(BooleanSupplier done) throws IOException;
  }
}
