package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import io.portcullis.fencing.protocol.EpochCheckSql.EpochCheck;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.OwnQuery.QueryPrefix;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlEffect;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;
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

  private final ConnectionState connection;
  private final TransactionState transaction;
  private final ServerChannel channel;
  private final ByteBuilder message = new ByteBuilder();
  private @Nullable EpochCheckSql checks;

  /** The driver has sent {@code BEGIN}, which waits for what it sends next. */
  private boolean beginWaits;

  /** Until this group is answered, the session's prepared statements may be gone already. */
  private long forgetsIn = -1;

  /** A check was prepared in this group, of which nobody knows more before it is answered. */
  private long preparedIn = -1;

  EpochCheckInjector(ConnectionState dialogue, ServerChannel line) {
    this.connection = dialogue;
    this.transaction = dialogue.transaction;
    this.channel = line;
  }

  /** Whether what this thread sends now is none of the fence's business. */
  boolean isExempt() {
    FencedDatabase site = connection.site();
    return !site.fencesUngated() && site.pinnedEpoch() == 0;
  }

  /** Whether the driver's {@code BEGIN} may wait for what it sends next, and then does. */
  boolean defersBegin() {
    // Outside of a transaction it can't fail.
    beginWaits = transaction.isSurelyIdle() && !connection.preparesEachTime && !isExempt();
    return beginWaits;
  }

  /** Sends the {@code BEGIN} that waits, if one does, as the driver sent it. */
  void sendBegin() throws IOException {
    if (beginWaits) {
      beginWaits = false;
      connection.pending.add(MessageKind.QUERY, null);
      transaction.begin();
      transaction.endGroup();
      channel.send(DeferredBegin.QUERY, 0, DeferredBegin.QUERY.length);
    }
  }

  /** The same where a message is under way already that belongs behind it. */
  private void sendBeginAhead() throws IOException {
    sendBegin();
    transaction.touch(connection.site());
  }

  /** A statement was sent that may give up the session's prepared statements. */
  void mayForget() {
    forgetsIn = transaction.group();
  }

  /** Whether it is compared then, unless it was before. */
  static boolean comparesBeforeBind(SqlEffect verdict) {
    return verdict.need() != FenceRequirement.NOTHING
        && !verdict.isRefused()
        && verdict != SqlEffect.OUTSIDE_TRANSACTION;
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
    if (verdict.need() == FenceRequirement.NOTHING || isExempt()) {
      return;
    }
    if (verdict == SqlEffect.MIXED) {
      refuse(FenceRefusal.MIXED);
    } else if (verdict == SqlEffect.TWO_PHASE) {
      refuse(FenceRefusal.TWO_PHASE);
    } else if (verdict == SqlEffect.OUTSIDE_TRANSACTION && !transaction.isSurelyOpen()) {
      if (!connection.holding) {
        refuse(FenceRefusal.NOT_ALONE);
      }
    } else if (needsComparison(verdict)) {
      compare(verdict.need(), false);
    }
  }

  private boolean needsComparison(SqlEffect verdict) {
    // In a transaction that has failed nothing runs but what ends it, of which not all is known.
    return verdict.need() != FenceRequirement.NOTHING
        && !transaction.isChecked(verdict.need())
        && !transaction.isSurelyFailed();
  }

  private void compare(FenceRequirement need, boolean unnamed) throws IOException {
    try {
      send(check(need), need, unnamed);
    } catch (FenceNotReadyException e) {
      sendBeginAhead();
      refuse(refusal(e));
    }
    // Either way the server runs nothing more of the group if this fails.
    transaction.markChecked(need);
  }

  private void send(EpochCheck check, FenceRequirement need, boolean unnamed) throws IOException {
    if (forgetsIn >= 0 && !transaction.isAnswered(forgetsIn)) {
      forgetsIn = -1;
      connection.forgetPrepared();
    }
    boolean maybe = need == FenceRequirement.READ_ONLY_IF_STALE;
    EpochCheck before = maybe ? connection.preparedMaybe : connection.prepared;
    boolean isKnown = preparedIn == transaction.group() || transaction.isAnswered(preparedIn);
    boolean isPrepared = before == check && isKnown && !connection.preparesEachTime;
    if (!isPrepared) {
      sendBeginAhead();
    }
    message.clear();
    if (beginWaits) {
      beginWaits = false;
      add(DeferredBegin.BIND, MessageKind.OUR_BIND, DeferredBegin.MARKER);
      add(DeferredBegin.EXECUTE, MessageKind.OUR_EXECUTE, DeferredBegin.MARKER);
      transaction.begin();
    }
    if (!isPrepared) {
      preparedIn = transaction.group();
      prepare(check, before);
      connection.prepared = maybe ? connection.prepared : check;
      connection.preparedMaybe = maybe ? check : connection.preparedMaybe;
    }
    message.add(unnamed ? check.inUnnamedPortal() : check.inOwnPortal());
    connection.pending.add(MessageKind.OUR_BIND, null);
    connection.pending.add(MessageKind.OUR_EXECUTE, null);
    if (!unnamed) {
      connection.pending.add(MessageKind.OUR_CLOSE, null);
    }
    channel.send(message.array(), 0, message.length());
  }

  private void prepare(EpochCheck check, @Nullable EpochCheck before)
      throws ProtocolViolationException {
    if (before != null && before != check) {
      add(before.closeStatement(), MessageKind.OUR_CLOSE, null);
    }
    add(check.closeStatement(), MessageKind.OUR_CLOSE, null);
    add(check.parse(), MessageKind.OUR_PARSE, null);
    if (!connection.preparesEachTime) {
      add(DeferredBegin.CLOSE_STATEMENT, MessageKind.OUR_CLOSE, null);
      add(DeferredBegin.PARSE, MessageKind.OUR_PARSE, null);
    }
  }

  private void add(byte[] part, MessageKind kind, @Nullable Object subject)
      throws ProtocolViolationException {
    message.add(part);
    connection.pending.add(kind, subject);
  }

  private void refuse(FenceRefusal refusal) throws IOException {
    message.clear();
    FenceRefusal.parseInPlace(message);
    connection.pending.add(MessageKind.OUR_REFUSAL, refusal);
    channel.send(message.array(), 0, message.length());
  }

  /** Of the simple protocol: the query fails without having been sent. */
  void refuseQuery(FenceRefusal refusal) throws IOException {
    message.clear();
    FenceRefusal.queryInPlace(message);
    connection.pending.add(MessageKind.QUERY, refusal);
    channel.send(message.array(), 0, message.length());
  }

  /** Sends the query's text behind the text that compares. */
  void prefix(FenceRequirement need, byte[] bytes, int from, int to) throws IOException {
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
    connection.pending.add(MessageKind.QUERY, QueryPrefix.CHECK);
    channel.send(message.array(), 0, message.length());
    transaction.markChecked(need);
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
    OwnQuery exchange =
        runOwnQuery(asked.hold(transaction.epochToCheck(connection.site()), connection.backendPid));
    if (exchange.isEmpty()) {
      return refuseGroup(FenceRefusal.POOLER);
    }
    connection.holding = !exchange.isRefused();
    connection.heldGroup = transaction.group();
    connection.heldBy = asked;
    return connection.holding;
  }

  /** Answers a group that was not sent by an error. */
  private boolean refuseGroup(FenceRefusal refusal) throws IOException {
    refuseQuery(refusal);
    transaction.endGroup();
    return false;
  }

  /** Whether a fast-path call may be sent; if not, the driver has its answer. */
  boolean beforeFunction() throws IOException {
    if (!isExempt() && !transaction.isChecked(FenceRequirement.REFUSED_IF_STALE)) {
      if (!transaction.isSurelyOpen()) {
        return refuseGroup(FenceRefusal.FUNCTION_CALL);
      }
      try {
        if (runOwnQuery(check(FenceRequirement.REFUSED_IF_STALE).text()).isRefused()) {
          return false;
        }
        transaction.markChecked(FenceRequirement.REFUSED_IF_STALE);
      } catch (FenceNotReadyException e) {
        return refuseGroup(refusal(e));
      }
    }
    connection.pending.add(MessageKind.FUNCTION, null);
    transaction.endGroup();
    return true;
  }

  private OwnQuery runOwnQuery(String text) throws IOException {
    OwnQuery exchange = OwnQuery.before();
    message.clear();
    int mark = message.begin('Q');
    message.addText(text);
    message.end(mark);
    channel.send(message.array(), 0, message.length());
    connection.pending.add(MessageKind.OUR_QUERY, exchange);
    transaction.endGroup();
    channel.await(exchange::isOver);
    return exchange;
  }

  private EpochCheck check(FenceRequirement need) throws FenceNotReadyException {
    boolean maybe = need == FenceRequirement.READ_ONLY_IF_STALE;
    if (maybe && connection.isInRecovery()) {
      return READ_ONLY;
    }
    try {
      return checks().check(transaction.epochToCheck(connection.site()), maybe);
    } catch (FenceNotReadyException e) {
      if (maybe && connection.isInRecovery()) { // Found out meanwhile.
        return READ_ONLY;
      }
      throw e;
    }
  }

  private EpochCheckSql checks() throws FenceNotReadyException {
    FencedDatabase site = connection.site();
    if (connection.isInRecovery()) {
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
    if (connection.isInRecovery()) {
      return FenceRefusal.IN_RECOVERY;
    }
    String why = failure.getMessage();
    return FenceRefusal.notReady(why == null ? "The fence is not ready." : why);
  }
}
