package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import io.portcullis.fencing.protocol.EpochCheckSql.EpochCheck;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.OwnQuery.QueryPrefix;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlEffect;
import io.portcullis.gate.sql.SqlEffect.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server compare the epoch before each statement that may write, or fail instead of it.
 *
 * <p>On a server in recovery there is nothing to compare: what writes is refused, and what may
 * write is sent behind a statement that makes its transaction read-only. The server itself enforces
 * that until the transaction ends, so nothing can be written after a promotion that is not known
 * here yet.
 */
final class EpochCheckInjector {
  private static final EpochCheck READ_ONLY =
      new EpochCheck("SELECT pg_catalog.set_config('transaction_read_only', 'on', true)");

  private final ConnectionState dialogue;
  private final TransactionState standing;
  private final ServerChannel line;
  private final ByteBuilder message = new ByteBuilder();
  private @Nullable EpochCheckSql checks;

  /** The driver has sent {@code BEGIN}, which waits for what it sends next. */
  private boolean beginWaits;

  /** Until this group is answered, the session's prepared statements may be gone already. */
  private long forgetsIn = -1;

  /** A check was prepared in this group, of which nobody knows more before it is answered. */
  private long preparedIn = -1;

  EpochCheckInjector(ConnectionState dialogue, ServerChannel line) {
    this.dialogue = dialogue;
    this.standing = dialogue.standing;
    this.line = line;
  }

  /** Whether what this thread sends now is none of the fence's business. */
  boolean isExempt() {
    FencedDatabase site = dialogue.site();
    return !site.fencesUngated() && site.pinnedEpoch() == 0;
  }

  /** Whether the driver's {@code BEGIN} may wait for what it sends next, and then does. */
  boolean defersBegin() {
    // Outside of a transaction it can't fail.
    beginWaits = standing.isSurelyIdle() && !dialogue.preparesEachTime && !isExempt();
    return beginWaits;
  }

  /** Sends the {@code BEGIN} that waits, if one does, as the driver sent it. */
  void sendBegin() throws IOException {
    if (beginWaits) {
      beginWaits = false;
      dialogue.pending.add(MessageKind.QUERY, null);
      standing.begin();
      standing.endGroup();
      line.send(DeferredBegin.QUERY, 0, DeferredBegin.QUERY.length);
    }
  }

  /** The same where a message is under way already that belongs behind it. */
  private void sendBeginAhead() throws IOException {
    sendBegin();
    standing.touch(dialogue.site());
  }

  /** A statement was sent that may give up the session's prepared statements. */
  void mayForget() {
    forgetsIn = standing.group();
  }

  /** Whether it is compared then, unless it was before. */
  static boolean comparesBeforeBind(SqlEffect verdict) {
    return verdict.need() != Need.NOTHING && !verdict.isRefused() && verdict != SqlEffect.ALONE;
  }

  /**
   * Of the extended protocol: what is sent comes before the statement is bound, since the server
   * plans it then and may already run functions that are said to be immutable.
   *
   * @param unnamed whether it is bound to the portal without a name
   */
  void beforeBind(SqlEffect verdict, boolean unnamed) throws IOException {
    if (comparesBeforeBind(verdict) && needsComparison(verdict) && !isExempt()) {
      compare(verdict.need(), unnamed);
    } else {
      sendBeginAhead();
    }
  }

  /** What was bound under other circumstances is compared, or refused, before it is executed. */
  void beforeExecute(SqlEffect verdict) throws IOException {
    if (verdict.need() == Need.NOTHING || isExempt()) {
      return;
    }
    if (verdict == SqlEffect.MIXED) {
      refuse(FenceRefusal.MIXED);
    } else if (verdict == SqlEffect.TWO_PHASE) {
      refuse(FenceRefusal.TWO_PHASE);
    } else if (verdict == SqlEffect.ALONE && !standing.isSurelyOpen()) {
      if (!dialogue.holding) {
        refuse(FenceRefusal.NOT_ALONE);
      }
    } else if (needsComparison(verdict)) {
      compare(verdict.need(), false);
    }
  }

  private boolean needsComparison(SqlEffect verdict) {
    // In a transaction that has failed nothing runs but what ends it, of which not all is known.
    return verdict.need() != Need.NOTHING
        && !standing.isCleared(verdict.need())
        && !standing.isSurelyFailed();
  }

  private void compare(Need need, boolean unnamed) throws IOException {
    try {
      send(check(need), need, unnamed);
    } catch (FenceNotReadyException e) {
      sendBeginAhead();
      refuse(refusal(e));
    }
    // Either way the server runs nothing more of the group if this fails.
    standing.clear(need);
  }

  private void send(EpochCheck check, Need need, boolean unnamed) throws IOException {
    if (forgetsIn >= 0 && !standing.isAnswered(forgetsIn)) {
      forgetsIn = -1;
      dialogue.forgetPrepared();
    }
    boolean maybe = need == Need.READ_ONLY_IF_STALE;
    EpochCheck before = maybe ? dialogue.preparedMaybe : dialogue.prepared;
    boolean isKnown = preparedIn == standing.group() || standing.isAnswered(preparedIn);
    boolean isPrepared = before == check && isKnown && !dialogue.preparesEachTime;
    if (!isPrepared) {
      sendBeginAhead();
    }
    message.clear();
    if (beginWaits) {
      beginWaits = false;
      add(DeferredBegin.BIND, MessageKind.OUR_BIND, DeferredBegin.BEGIN);
      add(DeferredBegin.EXECUTE, MessageKind.OUR_EXECUTE, DeferredBegin.BEGIN);
      standing.begin();
    }
    if (!isPrepared) {
      preparedIn = standing.group();
      prepare(check, before);
      dialogue.prepared = maybe ? dialogue.prepared : check;
      dialogue.preparedMaybe = maybe ? check : dialogue.preparedMaybe;
    }
    message.add(unnamed ? check.inUnnamedPortal() : check.inOwnPortal());
    dialogue.pending.add(MessageKind.OUR_BIND, null);
    dialogue.pending.add(MessageKind.OUR_EXECUTE, null);
    if (!unnamed) {
      dialogue.pending.add(MessageKind.OUR_CLOSE, null);
    }
    line.send(message.array(), 0, message.length());
  }

  private void prepare(EpochCheck check, @Nullable EpochCheck before)
      throws ProtocolViolationException {
    if (before != null && before != check) {
      add(before.closeStatement(), MessageKind.OUR_CLOSE, null);
    }
    add(check.closeStatement(), MessageKind.OUR_CLOSE, null);
    add(check.parse(), MessageKind.OUR_PARSE, null);
    if (!dialogue.preparesEachTime) {
      add(DeferredBegin.CLOSE_STATEMENT, MessageKind.OUR_CLOSE, null);
      add(DeferredBegin.PARSE, MessageKind.OUR_PARSE, null);
    }
  }

  private void add(byte[] part, MessageKind kind, @Nullable Object subject)
      throws ProtocolViolationException {
    message.add(part);
    dialogue.pending.add(kind, subject);
  }

  private void refuse(FenceRefusal refusal) throws IOException {
    message.clear();
    FenceRefusal.parseInPlace(message);
    dialogue.pending.add(MessageKind.OUR_REFUSAL, refusal);
    line.send(message.array(), 0, message.length());
  }

  /** Of the simple protocol: the query fails without having been sent. */
  void refuseQuery(FenceRefusal refusal) throws IOException {
    message.clear();
    FenceRefusal.queryInPlace(message);
    dialogue.pending.add(MessageKind.QUERY, refusal);
    line.send(message.array(), 0, message.length());
  }

  /** Sends the query's text behind the text that compares. */
  void prefix(Need need, byte[] bytes, int from, int to) throws IOException {
    String prefix;
    try {
      prefix = check(need).text() + ";";
    } catch (FenceNotReadyException e) {
      refuseQuery(refusal(e));
      return;
    }
    message.clear();
    int mark = message.begin('Q');
    message.add(prefix.getBytes(StandardCharsets.UTF_8)).add(bytes, from, to - from).add(0);
    message.end(mark);
    dialogue.pending.add(MessageKind.QUERY, QueryPrefix.CHECK);
    line.send(message.array(), 0, message.length());
    standing.clear(need);
    message.clear();
  }

  /**
   * Holds the fence for the session, ahead of a group that runs alone.
   *
   * @return false if the server refused, which the driver is then told as the group's outcome
   */
  boolean hold() throws IOException {
    EpochCheckSql asked;
    try {
      asked = checks();
    } catch (FenceNotReadyException e) {
      return refuseGroup(refusal(e));
    }
    OwnQuery exchange = exchange(asked.hold(standing.ask(dialogue.site()), dialogue.backendPid));
    if (exchange.isEmpty()) {
      return refuseGroup(FenceRefusal.POOLER);
    }
    dialogue.holding = !exchange.isRefused();
    dialogue.heldGroup = standing.group();
    dialogue.heldBy = asked;
    return dialogue.holding;
  }

  /** Answers a group that was not sent by an error. */
  private boolean refuseGroup(FenceRefusal refusal) throws IOException {
    refuseQuery(refusal);
    standing.endGroup();
    return false;
  }

  /** Whether a fast-path call may be sent; if not, the driver has its answer. */
  boolean beforeFunction() throws IOException {
    if (!isExempt() && !standing.isCleared(Need.REFUSED_IF_STALE)) {
      if (!standing.isSurelyOpen()) {
        return refuseGroup(FenceRefusal.FUNCTION_CALL);
      }
      try {
        if (exchange(check(Need.REFUSED_IF_STALE).text()).isRefused()) {
          return false;
        }
        standing.clear(Need.REFUSED_IF_STALE);
      } catch (FenceNotReadyException e) {
        return refuseGroup(refusal(e));
      }
    }
    dialogue.pending.add(MessageKind.FUNCTION, null);
    standing.endGroup();
    return true;
  }

  private OwnQuery exchange(String text) throws IOException {
    OwnQuery exchange = OwnQuery.before();
    message.clear();
    int mark = message.begin('Q');
    message.addText(text);
    message.end(mark);
    line.send(message.array(), 0, message.length());
    dialogue.pending.add(MessageKind.OUR_QUERY, exchange);
    standing.endGroup();
    line.await(exchange::isOver);
    return exchange;
  }

  private EpochCheck check(Need need) throws FenceNotReadyException {
    boolean maybe = need == Need.READ_ONLY_IF_STALE;
    if (maybe && dialogue.isInRecovery()) {
      return READ_ONLY;
    }
    try {
      return checks().check(standing.ask(dialogue.site()), maybe);
    } catch (FenceNotReadyException e) {
      if (maybe && dialogue.isInRecovery()) { // Found out meanwhile.
        return READ_ONLY;
      }
      throw e;
    }
  }

  private EpochCheckSql checks() throws FenceNotReadyException {
    FencedDatabase site = dialogue.site();
    if (dialogue.isInRecovery()) {
      throw new FenceNotReadyException(FenceRefusal.IN_RECOVERY.why());
    }
    CheckFunctions functions = site.checkFunctions();
    EpochCheckSql known = checks;
    if (known == null || !known.areOf(functions, site.holder())) {
      known = new EpochCheckSql(functions, site.holder());
      checks = known;
    }
    return known;
  }

  private FenceRefusal refusal(FenceNotReadyException failure) {
    if (dialogue.isInRecovery()) {
      return FenceRefusal.IN_RECOVERY;
    }
    String why = failure.getMessage();
    return FenceRefusal.notReady(why == null ? "The fence is not ready." : why);
  }
}
