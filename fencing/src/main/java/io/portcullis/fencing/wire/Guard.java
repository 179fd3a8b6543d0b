package io.portcullis.fencing.wire;

import io.portcullis.fencing.CheckFunctions;
import io.portcullis.fencing.FencedSite;
import io.portcullis.fencing.SiteNotReady;
import io.portcullis.gate.sql.Verdict;
import io.portcullis.gate.sql.Verdict.Need;
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
final class Guard {
  private static final Check READ_ONLY =
      new Check("SELECT pg_catalog.set_config('transaction_read_only', 'on', true)");

  private final Dialogue dialogue;
  private final Standing standing;
  private final Line line;
  private final Bytes message = new Bytes();
  private @Nullable Checks checks;

  /** The driver has sent {@code BEGIN}, which waits for what it sends next. */
  private boolean beginWaits;

  /** Until this group is answered, the session's prepared statements may be gone already. */
  private long forgetsIn = -1;

  /** A check was prepared in this group, of which nobody knows more before it is answered. */
  private long preparedIn = -1;

  Guard(Dialogue dialogue, Line line) {
    this.dialogue = dialogue;
    this.standing = dialogue.standing;
    this.line = line;
  }

  /** Whether what this thread sends now is none of the fence's business. */
  boolean isExempt() {
    FencedSite site = dialogue.site();
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
      dialogue.pending.add(Kind.QUERY, null);
      standing.begin();
      standing.endGroup();
      line.send(Deferred.QUERY, 0, Deferred.QUERY.length);
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
  static boolean comparesBeforeBind(Verdict verdict) {
    return verdict.need() != Need.NOTHING && !verdict.isRefused() && verdict != Verdict.ALONE;
  }

  /**
   * Of the extended protocol: what is sent comes before the statement is bound, since the server
   * plans it then and may already run functions that are said to be immutable.
   *
   * @param unnamed whether it is bound to the portal without a name
   */
  void beforeBind(Verdict verdict, boolean unnamed) throws IOException {
    if (comparesBeforeBind(verdict) && needsComparison(verdict) && !isExempt()) {
      compare(verdict.need(), unnamed);
    } else {
      sendBeginAhead();
    }
  }

  /** What was bound under other circumstances is compared, or refused, before it is executed. */
  void beforeExecute(Verdict verdict) throws IOException {
    if (verdict.need() == Need.NOTHING || isExempt()) {
      return;
    }
    if (verdict == Verdict.MIXED) {
      refuse(Refusal.MIXED);
    } else if (verdict == Verdict.TWO_PHASE) {
      refuse(Refusal.TWO_PHASE);
    } else if (verdict == Verdict.ALONE && !standing.isSurelyOpen()) {
      if (!dialogue.holding) {
        refuse(Refusal.NOT_ALONE);
      }
    } else if (needsComparison(verdict)) {
      compare(verdict.need(), false);
    }
  }

  private boolean needsComparison(Verdict verdict) {
    // In a transaction that has failed nothing runs but what ends it, of which not all is known.
    return verdict.need() != Need.NOTHING
        && !standing.isCleared(verdict.need())
        && !standing.isSurelyFailed();
  }

  private void compare(Need need, boolean unnamed) throws IOException {
    try {
      send(check(need), need, unnamed);
    } catch (SiteNotReady e) {
      sendBeginAhead();
      refuse(refusal(e));
    }
    // Either way the server runs nothing more of the group if this fails.
    standing.clear(need);
  }

  private void send(Check check, Need need, boolean unnamed) throws IOException {
    if (forgetsIn >= 0 && !standing.isAnswered(forgetsIn)) {
      forgetsIn = -1;
      dialogue.forgetPrepared();
    }
    boolean maybe = need == Need.READ_ONLY_IF_STALE;
    Check before = maybe ? dialogue.preparedMaybe : dialogue.prepared;
    boolean isKnown = preparedIn == standing.group() || standing.isAnswered(preparedIn);
    boolean isPrepared = before == check && isKnown && !dialogue.preparesEachTime;
    if (!isPrepared) {
      sendBeginAhead();
    }
    message.clear();
    if (beginWaits) {
      beginWaits = false;
      add(Deferred.BIND, Kind.OUR_BIND, Deferred.BEGIN);
      add(Deferred.EXECUTE, Kind.OUR_EXECUTE, Deferred.BEGIN);
      standing.begin();
    }
    if (!isPrepared) {
      preparedIn = standing.group();
      prepare(check, before);
      dialogue.prepared = maybe ? dialogue.prepared : check;
      dialogue.preparedMaybe = maybe ? check : dialogue.preparedMaybe;
    }
    message.add(unnamed ? check.inUnnamedPortal() : check.inOwnPortal());
    dialogue.pending.add(Kind.OUR_BIND, null);
    dialogue.pending.add(Kind.OUR_EXECUTE, null);
    if (!unnamed) {
      dialogue.pending.add(Kind.OUR_CLOSE, null);
    }
    line.send(message.array(), 0, message.length());
  }

  private void prepare(Check check, @Nullable Check before) throws Surprise {
    if (before != null && before != check) {
      add(before.closeStatement(), Kind.OUR_CLOSE, null);
    }
    add(check.closeStatement(), Kind.OUR_CLOSE, null);
    add(check.parse(), Kind.OUR_PARSE, null);
    if (!dialogue.preparesEachTime) {
      add(Deferred.CLOSE_STATEMENT, Kind.OUR_CLOSE, null);
      add(Deferred.PARSE, Kind.OUR_PARSE, null);
    }
  }

  private void add(byte[] part, Kind kind, @Nullable Object subject) throws Surprise {
    message.add(part);
    dialogue.pending.add(kind, subject);
  }

  private void refuse(Refusal refusal) throws IOException {
    message.clear();
    Refusal.parseInPlace(message);
    dialogue.pending.add(Kind.OUR_REFUSAL, refusal);
    line.send(message.array(), 0, message.length());
  }

  /** Of the simple protocol: the query fails without having been sent. */
  void refuseQuery(Refusal refusal) throws IOException {
    message.clear();
    Refusal.queryInPlace(message);
    dialogue.pending.add(Kind.QUERY, refusal);
    line.send(message.array(), 0, message.length());
  }

  /** Sends the query's text behind the text that compares. */
  void prefix(Need need, byte[] bytes, int from, int to) throws IOException {
    String prefix;
    try {
      prefix = check(need).text() + ";";
    } catch (SiteNotReady e) {
      refuseQuery(refusal(e));
      return;
    }
    message.clear();
    int mark = message.begin('Q');
    message.add(prefix.getBytes(StandardCharsets.UTF_8)).add(bytes, from, to - from).add(0);
    message.end(mark);
    dialogue.pending.add(Kind.QUERY, Prefix.CHECK);
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
    Checks asked;
    try {
      asked = checks();
    } catch (SiteNotReady e) {
      return refuseGroup(refusal(e));
    }
    Exchange exchange = exchange(asked.hold(standing.ask(dialogue.site()), dialogue.backendPid));
    if (exchange.isEmpty()) {
      return refuseGroup(Refusal.POOLER);
    }
    dialogue.holding = !exchange.isRefused();
    dialogue.heldGroup = standing.group();
    dialogue.heldBy = asked;
    return dialogue.holding;
  }

  /** Answers a group that was not sent by an error. */
  private boolean refuseGroup(Refusal refusal) throws IOException {
    refuseQuery(refusal);
    standing.endGroup();
    return false;
  }

  /** Whether a fast-path call may be sent; if not, the driver has its answer. */
  boolean beforeFunction() throws IOException {
    if (!isExempt() && !standing.isCleared(Need.REFUSED_IF_STALE)) {
      if (!standing.isSurelyOpen()) {
        return refuseGroup(Refusal.FUNCTION_CALL);
      }
      try {
        if (exchange(check(Need.REFUSED_IF_STALE).text()).isRefused()) {
          return false;
        }
        standing.clear(Need.REFUSED_IF_STALE);
      } catch (SiteNotReady e) {
        return refuseGroup(refusal(e));
      }
    }
    dialogue.pending.add(Kind.FUNCTION, null);
    standing.endGroup();
    return true;
  }

  private Exchange exchange(String text) throws IOException {
    Exchange exchange = Exchange.before();
    message.clear();
    int mark = message.begin('Q');
    message.addText(text);
    message.end(mark);
    line.send(message.array(), 0, message.length());
    dialogue.pending.add(Kind.OUR_QUERY, exchange);
    standing.endGroup();
    line.await(exchange::isOver);
    return exchange;
  }

  private Check check(Need need) throws SiteNotReady {
    boolean maybe = need == Need.READ_ONLY_IF_STALE;
    if (maybe && dialogue.isInRecovery()) {
      return READ_ONLY;
    }
    try {
      return checks().check(standing.ask(dialogue.site()), maybe);
    } catch (SiteNotReady e) {
      if (maybe && dialogue.isInRecovery()) { // Found out meanwhile.
        return READ_ONLY;
      }
      throw e;
    }
  }

  private Checks checks() throws SiteNotReady {
    FencedSite site = dialogue.site();
    if (dialogue.isInRecovery()) {
      throw new SiteNotReady(Refusal.IN_RECOVERY.why());
    }
    CheckFunctions functions = site.checkFunctions();
    Checks known = checks;
    if (known == null || !known.areOf(functions, site.holder())) {
      known = new Checks(functions, site.holder());
      checks = known;
    }
    return known;
  }

  private Refusal refusal(SiteNotReady failure) {
    if (dialogue.isInRecovery()) {
      return Refusal.IN_RECOVERY;
    }
    String why = failure.getMessage();
    return Refusal.notReady(why == null ? "The fence is not ready." : why);
  }
}
