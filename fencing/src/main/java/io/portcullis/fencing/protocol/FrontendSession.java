package io.portcullis.fencing.protocol;

import io.portcullis.fencing.protocol.NameTable.PreparedText;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.SqlEffect;
import io.portcullis.gate.sql.SqlEffect.Need;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Follows what the driver sends, and puts before it what the fence needs. */
final class FrontendSession {
  private static final int HEADER = 5;

  private final ConnectionState dialogue;
  private final TransactionState standing;
  private final ServerChannel line;
  private final EpochCheckInjector guard;

  /** The server has already answered this group, so the rest of it is not sent. */
  private boolean dropping;

  FrontendSession(ConnectionState dialogue, ServerChannel line) {
    this.dialogue = dialogue;
    this.standing = dialogue.standing;
    this.line = line;
    this.guard = new EpochCheckInjector(dialogue, line);
  }

  /** Whether the rest of a group is still to come, and not to be sent. */
  boolean isDropping() {
    return dropping;
  }

  /** Nothing more follows for now. */
  void flush() throws IOException {
    guard.sendBegin();
  }

  /** A message whose body is not looked at is about to be passed on. */
  void stream(char type) throws IOException {
    guard.sendBegin();
    if (type == 'p' && dialogue.phase != ConnectionState.Phase.ENTERING) {
      throw new ProtocolViolationException("the driver sends a password where none was asked for.");
    }
    if (type != 'p') {
      requireOpen(type);
    }
  }

  /** A fast-path call is about to be passed on: false if it is not to be sent. */
  boolean function() throws IOException {
    if (dialogue.skipping) {
      return true;
    }
    if (!standing.isGroupBegun()) {
      line.await(standing::isSettled);
    }
    standing.touch(dialogue.site());
    return guard.beforeFunction();
  }

  /**
   * Takes a message, or the beginning of one that binds, and sends it on.
   *
   * @param at where it begins
   * @param end up to where it is there
   * @return whether the rest of the message is to be sent, too
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
      guard.sendBegin();
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
      line.send(bytes, at, end - at);
    }
    return sends;
  }

  private void requireOpen(char type) throws IOException {
    if (dialogue.phase != ConnectionState.Phase.OPEN) {
      throw new ProtocolViolationException(
          "the driver sends a message too early, of the type " + type);
    }
    if (dialogue.holding && dialogue.heldGroup != standing.group()) {
      // The fence is let go of once the group is answered, and before anything follows.
      line.await(() -> !dialogue.holding && standing.isSettled());
    }
  }

  private boolean parse(byte[] bytes, int body, int end) throws IOException {
    int nameEnd = ByteBuilder.endOfText(bytes, body, end);
    int textEnd = ByteBuilder.endOfText(bytes, nameEnd + 1, end);
    if (dialogue.skipping) {
      dialogue.statements.forget(bytes, body, nameEnd);
      return true;
    }
    SqlEffect verdict = SqlClassifier.classify(bytes, nameEnd + 1, textEnd);
    if (!holdsFor(verdict)) {
      return false;
    }
    PreparedText text = new PreparedText(verdict, standing.group());
    dialogue.statements.put(bytes, body, nameEnd, text);
    dialogue.pending.add(MessageKind.PARSE, text);
    return true;
  }

  private boolean bind(byte[] bytes, int body, int end) throws IOException {
    int portalEnd = ByteBuilder.endOfText(bytes, body, end);
    int nameEnd = ByteBuilder.endOfText(bytes, portalEnd + 1, end);
    if (dialogue.skipping) {
      guard.sendBegin();
      dialogue.portals.forget(bytes, body, portalEnd);
      return true;
    }
    SqlEffect verdict = verdict(dialogue.statements.find(bytes, portalEnd + 1, nameEnd));
    if (!EpochCheckInjector.comparesBeforeBind(verdict)) {
      guard.sendBegin();
    }
    if (!holdsFor(verdict)) {
      return false;
    }
    guard.beforeBind(verdict, portalEnd == body);
    PreparedText portal = new PreparedText(verdict, standing.group());
    dialogue.portals.put(bytes, body, portalEnd, portal);
    dialogue.pending.add(MessageKind.BIND, portal);
    return true;
  }

  /** Has the fence held if a group begins that runs alone; false if the server refused. */
  private boolean holdsFor(SqlEffect verdict) throws IOException {
    if (beginsAlone(verdict)) {
      dropping = !guard.hold();
      if (!dropping) {
        standing.touch(dialogue.site());
      }
    }
    return !dropping;
  }

  /** A statement of a group is about to be sent: whether it needs the fence held for it. */
  private boolean beginsAlone(SqlEffect verdict) throws IOException {
    boolean isAlone = verdict == SqlEffect.ALONE && !standing.isGroupBegun();
    if (isAlone) {
      // Whether a transaction is open decides, and what came before may not be answered yet.
      line.await(standing::isSettled);
    }
    standing.touch(dialogue.site());
    return isAlone && standing.isSurelyIdle() && !guard.isExempt();
  }

  private SqlEffect verdict(@Nullable PreparedText text) {
    return text == null ? PreparedText.UNKNOWN : text.verdict(standing.group());
  }

  private boolean describe(byte[] bytes, int body) throws ProtocolViolationException {
    if (!dialogue.skipping) {
      standing.touch(dialogue.site());
      dialogue.pending.add(
          bytes[body] == 'S' ? MessageKind.DESCRIBE_STATEMENT : MessageKind.DESCRIBE, null);
    }
    return true;
  }

  private boolean close(byte[] bytes, int body, int end) throws ProtocolViolationException {
    NameTable names = bytes[body] == 'S' ? dialogue.statements : dialogue.portals;
    names.forget(bytes, body + 1, ByteBuilder.endOfText(bytes, body + 1, end));
    if (!dialogue.skipping) {
      dialogue.pending.add(MessageKind.CLOSE, null);
    }
    return true;
  }

  private boolean execute(byte[] bytes, int body, int end) throws IOException {
    if (dialogue.skipping) {
      return true;
    }
    standing.touch(dialogue.site());
    int nameEnd = ByteBuilder.endOfText(bytes, body, end);
    SqlEffect verdict = verdict(dialogue.portals.find(bytes, body, nameEnd));
    guard.beforeExecute(verdict);
    dialogue.pending.add(MessageKind.EXECUTE, null);
    if (verdict != SqlEffect.ALONE || !standing.isSurelyOpen()) {
      follow(verdict);
    }
    return true;
  }

  private void follow(SqlEffect verdict) {
    if (verdict == SqlEffect.DEALLOCATE
        || verdict == SqlEffect.DISCARD
        || verdict == PreparedText.UNKNOWN) {
      guard.mayForget();
    }
    if (verdict == SqlEffect.BEGIN) {
      standing.begin();
    } else if (verdict.ends()) {
      standing.end();
    }
  }

  private boolean sync() throws ProtocolViolationException {
    if (!dialogue.copying) {
      dialogue.pending.add(MessageKind.SYNC, null);
      dialogue.skipping = false;
      standing.endGroup();
    }
    return true;
  }

  private boolean endCopy() {
    dialogue.copying = false;
    return true;
  }

  private boolean query(byte[] bytes, int body, int end) throws IOException {
    if (dialogue.skipping) {
      return true;
    }
    int textEnd = ByteBuilder.endOfText(bytes, body, end);
    if (dialogue.replication && ReplicationCommand.matches(bytes, body, textEnd)) {
      standing.touch(dialogue.site());
      dialogue.pending.add(MessageKind.QUERY, null);
      standing.endGroup();
      return true;
    }
    boolean isBegin = !standing.isGroupBegun() && DeferredBegin.isText(bytes, body, textEnd);
    if (isBegin && guard.defersBegin()) {
      standing.touch(dialogue.site());
      return false;
    }
    SqlEffect verdict = SqlClassifier.classify(bytes, body, textEnd);
    boolean isAlone = beginsAlone(verdict);
    boolean sends;
    if (guard.isExempt()) {
      dialogue.pending.add(MessageKind.QUERY, null);
      sends = true;
    } else if (verdict.isRefused()) {
      guard.refuseQuery(verdict == SqlEffect.MIXED ? FenceRefusal.MIXED : FenceRefusal.TWO_PHASE);
      sends = false;
    } else if (isAlone) {
      if (!guard.hold()) {
        return false;
      }
      dialogue.pending.add(MessageKind.QUERY, null);
      sends = true;
    } else if (verdict.need() != Need.NOTHING && !standing.isCleared(verdict.need())) {
      guard.prefix(verdict.need(), bytes, body, textEnd);
      sends = false;
    } else {
      dialogue.pending.add(MessageKind.QUERY, null);
      sends = true;
    }
    follow(verdict);
    standing.endGroup();
    return sends;
  }
}
