package io.portcullis.fencing.wire;

import io.portcullis.gate.sql.SqlClassifier;
import io.portcullis.gate.sql.Verdict;
import io.portcullis.gate.sql.Verdict.Need;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Follows what the driver sends, and puts before it what the fence needs. */
final class Session {
  private static final int HEADER = 5;

  private final Dialogue dialogue;
  private final Standing standing;
  private final Line line;
  private final Guard guard;

  /** The server has already answered this group, so the rest of it is not sent. */
  private boolean dropping;

  Session(Dialogue dialogue, Line line) {
    this.dialogue = dialogue;
    this.standing = dialogue.standing;
    this.line = line;
    this.guard = new Guard(dialogue, line);
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
    if (type == 'p' && dialogue.phase != Dialogue.Phase.ENTERING) {
      throw new Surprise("the driver sends a password where none was asked for.");
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
          default -> throw new Surprise("the driver sends a message of the unknown type " + type);
        };
    if (sends) {
      line.send(bytes, at, end - at);
    }
    return sends;
  }

  private void requireOpen(char type) throws IOException {
    if (dialogue.phase != Dialogue.Phase.OPEN) {
      throw new Surprise("the driver sends a message too early, of the type " + type);
    }
    if (dialogue.holding && dialogue.heldGroup != standing.group()) {
      // The fence is let go of once the group is answered, and before anything follows.
      line.await(() -> !dialogue.holding && standing.isSettled());
    }
  }

  private boolean parse(byte[] bytes, int body, int end) throws IOException {
    int nameEnd = Bytes.endOfText(bytes, body, end);
    int textEnd = Bytes.endOfText(bytes, nameEnd + 1, end);
    if (dialogue.skipping) {
      dialogue.statements.forget(bytes, body, nameEnd);
      return true;
    }
    Verdict verdict = SqlClassifier.classify(bytes, nameEnd + 1, textEnd);
    if (!holdsFor(verdict)) {
      return false;
    }
    Text text = new Text(verdict, standing.group());
    dialogue.statements.put(bytes, body, nameEnd, text);
    dialogue.pending.add(Kind.PARSE, text);
    return true;
  }

  private boolean bind(byte[] bytes, int body, int end) throws IOException {
    int portalEnd = Bytes.endOfText(bytes, body, end);
    int nameEnd = Bytes.endOfText(bytes, portalEnd + 1, end);
    if (dialogue.skipping) {
      guard.sendBegin();
      dialogue.portals.forget(bytes, body, portalEnd);
      return true;
    }
    Verdict verdict = verdict(dialogue.statements.find(bytes, portalEnd + 1, nameEnd));
    if (!Guard.comparesBeforeBind(verdict)) {
      guard.sendBegin();
    }
    if (!holdsFor(verdict)) {
      return false;
    }
    guard.beforeBind(verdict, portalEnd == body);
    Text portal = new Text(verdict, standing.group());
    dialogue.portals.put(bytes, body, portalEnd, portal);
    dialogue.pending.add(Kind.BIND, portal);
    return true;
  }

  /** Has the fence held if a group begins that runs alone; false if the server refused. */
  private boolean holdsFor(Verdict verdict) throws IOException {
    if (beginsAlone(verdict)) {
      dropping = !guard.hold();
      if (!dropping) {
        standing.touch(dialogue.site());
      }
    }
    return !dropping;
  }

  /** A statement of a group is about to be sent: whether it needs the fence held for it. */
  private boolean beginsAlone(Verdict verdict) throws IOException {
    boolean isAlone = verdict == Verdict.ALONE && !standing.isGroupBegun();
    if (isAlone) {
      // Whether a transaction is open decides, and what came before may not be answered yet.
      line.await(standing::isSettled);
    }
    standing.touch(dialogue.site());
    return isAlone && standing.isSurelyIdle() && !guard.isExempt();
  }

  private Verdict verdict(@Nullable Text text) {
    return text == null ? Text.UNKNOWN : text.verdict(standing.group());
  }

  private boolean describe(byte[] bytes, int body) throws Surprise {
    if (!dialogue.skipping) {
      standing.touch(dialogue.site());
      dialogue.pending.add(bytes[body] == 'S' ? Kind.DESCRIBE_STATEMENT : Kind.DESCRIBE, null);
    }
    return true;
  }

  private boolean close(byte[] bytes, int body, int end) throws Surprise {
    Names names = bytes[body] == 'S' ? dialogue.statements : dialogue.portals;
    names.forget(bytes, body + 1, Bytes.endOfText(bytes, body + 1, end));
    if (!dialogue.skipping) {
      dialogue.pending.add(Kind.CLOSE, null);
    }
    return true;
  }

  private boolean execute(byte[] bytes, int body, int end) throws IOException {
    if (dialogue.skipping) {
      return true;
    }
    standing.touch(dialogue.site());
    int nameEnd = Bytes.endOfText(bytes, body, end);
    Verdict verdict = verdict(dialogue.portals.find(bytes, body, nameEnd));
    guard.beforeExecute(verdict);
    dialogue.pending.add(Kind.EXECUTE, null);
    if (verdict != Verdict.ALONE || !standing.isSurelyOpen()) {
      follow(verdict);
    }
    return true;
  }

  private void follow(Verdict verdict) {
    if (verdict == Verdict.DEALLOCATE || verdict == Verdict.DISCARD || verdict == Text.UNKNOWN) {
      guard.mayForget();
    }
    if (verdict == Verdict.BEGIN) {
      standing.begin();
    } else if (verdict.ends()) {
      standing.end();
    }
  }

  private boolean sync() throws Surprise {
    if (!dialogue.copying) {
      dialogue.pending.add(Kind.SYNC, null);
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
    int textEnd = Bytes.endOfText(bytes, body, end);
    if (dialogue.replication && ReplicationCommand.matches(bytes, body, textEnd)) {
      standing.touch(dialogue.site());
      dialogue.pending.add(Kind.QUERY, null);
      standing.endGroup();
      return true;
    }
    boolean isBegin = !standing.isGroupBegun() && Deferred.isText(bytes, body, textEnd);
    if (isBegin && guard.defersBegin()) {
      standing.touch(dialogue.site());
      return false;
    }
    Verdict verdict = SqlClassifier.classify(bytes, body, textEnd);
    boolean isAlone = beginsAlone(verdict);
    boolean sends;
    if (guard.isExempt()) {
      dialogue.pending.add(Kind.QUERY, null);
      sends = true;
    } else if (verdict.isRefused()) {
      guard.refuseQuery(verdict == Verdict.MIXED ? Refusal.MIXED : Refusal.TWO_PHASE);
      sends = false;
    } else if (isAlone) {
      if (!guard.hold()) {
        return false;
      }
      dialogue.pending.add(Kind.QUERY, null);
      sends = true;
    } else if (verdict.need() != Need.NOTHING && !standing.isCleared(verdict.need())) {
      guard.prefix(verdict.need(), bytes, body, textEnd);
      sends = false;
    } else {
      dialogue.pending.add(Kind.QUERY, null);
      sends = true;
    }
    follow(verdict);
    standing.endGroup();
    return sends;
  }
}
