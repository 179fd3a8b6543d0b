package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import io.portcullis.fencing.protocol.EpochCheckSql.EpochCheck;
import io.portcullis.fencing.protocol.FrontendSession.ServerChannel;
import io.portcullis.fencing.protocol.OwnQuery.DeferredBegin;
import io.portcullis.fencing.protocol.OwnQuery.QueryPrefix;
import io.portcullis.fencing.protocol.PendingReplies.MessageKind;
import io.portcullis.gate.sql.SqlEffect;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Sends an epoch check before each statement that may write, or a failing statement in its place.
 *
 * <p>A server in recovery has nothing to check: a statement that writes is refused, and one that
 * may write is sent after a statement that makes its transaction read-only. The server itself
 * enforces that until the transaction ends, so nothing can be written after a promotion that has
 * not been noticed here yet.
 */
final class EpochCheckInjector {
  private static final EpochCheck READ_ONLY =
      new EpochCheck("SELECT pg_catalog.set_config('transaction_read_only', 'on', true)");

  private final ConnectionState connection;
  private final TransactionState transaction;
  private final ServerChannel channel;
  private final ByteBuilder message = new ByteBuilder();
  private @Nullable EpochCheckSql checks;

  /** The driver has sent {@code BEGIN}, which is held back until its next message. */
  private boolean beginDeferred;

  /** Until the server responds to this group, the session's prepared statements may be gone. */
  private long mayForgetInGroup = -1;

  /**
   * Group in which a check was prepared; the outcome is unknown until the server responds to it.
   */
  private long preparedInGroup = -1;

  EpochCheckInjector(ConnectionState connection, ServerChannel channel) {
    this.connection = connection;
    this.transaction = connection.transaction;
    this.channel = channel;
  }

  /** Whether the statements that this thread sends now are not fenced. */
  boolean isExempt() {
    FencedDatabase site = connection.site();
    return !site.fencesUngated() && site.pinnedEpoch() == 0;
  }

  /** Defers the driver's {@code BEGIN} until its next message if possible; returns whether. */
  boolean defersBegin() {
    // Outside a transaction BEGIN can't fail.
    beginDeferred = transaction.isSurelyIdle() && !connection.preparesEachTime && !isExempt();
    return beginDeferred;
  }

  /** Sends the deferred {@code BEGIN}, if there is one, as the driver sent it. */
  void sendBegin() throws IOException {
    if (beginDeferred) {
      beginDeferred = false;
      connection.pending.add(MessageKind.QUERY, null);
      transaction.begin();
      transaction.endGroup();
      channel.send(DeferredBegin.QUERY, 0, DeferredBegin.QUERY.length);
    }
  }

  /** Like {@link #sendBegin}, for use when a message that follows it is already being processed. */
  private void sendBeginAhead() throws IOException {
    sendBegin();
    transaction.touch(connection.site());
  }

  /** Called when a statement was sent that may deallocate the session's prepared statements. */
  void mayForget() {
    mayForgetInGroup = transaction.group();
  }

  /** Whether the epoch is checked before Bind, unless the transaction was checked already. */
  static boolean comparesBeforeBind(SqlEffect verdict) {
    return verdict.need() != FenceRequirement.NOTHING
        && !verdict.isRefused()
        && verdict != SqlEffect.OUTSIDE_TRANSACTION;
  }

  /**
   * Sends the check of the extended protocol. It comes before the statement is bound, since the
   * server plans the statement then and may already run functions declared immutable.
   *
   * @param unnamed whether the statement is bound to the unnamed portal
   */
  void beforeBind(SqlEffect verdict, boolean unnamed) throws IOException {
    if (comparesBeforeBind(verdict) && needsCheck(verdict) && !isExempt()) {
      sendCheck(verdict.need(), unnamed);
    } else {
      sendBeginAhead();
    }
  }

  /** Checks or refuses, before Execute, a statement that was bound under other circumstances. */
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
    } else if (needsCheck(verdict)) {
      sendCheck(verdict.need(), false);
    }
  }

  private boolean needsCheck(SqlEffect verdict) {
    // In a failed transaction nothing runs except statements that end it, and these may be ones
    // that are not known here.
    return verdict.need() != FenceRequirement.NOTHING
        && !transaction.isChecked(verdict.need())
        && !transaction.isSurelyFailed();
  }

  private void sendCheck(FenceRequirement need, boolean unnamed) throws IOException {
    try {
      send(check(need), need, unnamed);
    } catch (FenceNotReadyException e) {
      sendBeginAhead();
      refuse(refusal(e));
    }
    // In both cases the server runs nothing more of the group if this fails.
    transaction.markChecked(need);
  }

  private void send(EpochCheck check, FenceRequirement need, boolean unnamed) throws IOException {
    if (mayForgetInGroup >= 0 && !transaction.isAnswered(mayForgetInGroup)) {
      mayForgetInGroup = -1;
      connection.forgetPrepared();
    }
    boolean maybe = need == FenceRequirement.READ_ONLY_IF_STALE;
    EpochCheck before = maybe ? connection.preparedMaybe : connection.prepared;
    boolean isKnown =
        preparedInGroup == transaction.group() || transaction.isAnswered(preparedInGroup);
    boolean isPrepared = before == check && isKnown && !connection.preparesEachTime;
    if (!isPrepared) {
      sendBeginAhead();
    }
    message.clear();
    if (beginDeferred) {
      beginDeferred = false;
      add(DeferredBegin.BIND, MessageKind.OUR_BIND, DeferredBegin.MARKER);
      add(DeferredBegin.EXECUTE, MessageKind.OUR_EXECUTE, DeferredBegin.MARKER);
      transaction.begin();
    }
    if (!isPrepared) {
      preparedInGroup = transaction.group();
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

  /** Refuses a query of the simple protocol: a failing query is sent in its place. */
  void refuseQuery(FenceRefusal refusal) throws IOException {
    message.clear();
    FenceRefusal.queryInPlace(message);
    connection.pending.add(MessageKind.QUERY, refusal);
    channel.send(message.array(), 0, message.length());
  }

  /** Sends the query's SQL after the SQL of the check, as one query. */
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
   * Locks the fence for the session, before a group that runs outside a transaction.
   *
   * @return false if the server refused; the driver then gets the refusal as the group's outcome
   */
  boolean hold() throws IOException {
    EpochCheckSql checkSql;
    try {
      checkSql = checks();
    } catch (FenceNotReadyException e) {
      return refuseGroup(refusal(e));
    }
    OwnQuery ownQuery =
        runOwnQuery(
            checkSql.hold(transaction.epochToCheck(connection.site()), connection.backendPid));
    if (ownQuery.isEmpty()) {
      return refuseGroup(FenceRefusal.POOLER);
    }
    connection.holding = !ownQuery.isRefused();
    connection.heldGroup = transaction.group();
    connection.heldBy = checkSql;
    return connection.holding;
  }

  /** Responds with an error to a group that was not sent. */
  private boolean refuseGroup(FenceRefusal refusal) throws IOException {
    refuseQuery(refusal);
    transaction.endGroup();
    return false;
  }

  /** Whether a fast-path call may be sent; if not, the driver gets an error response. */
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
    OwnQuery ownQuery = OwnQuery.before();
    message.clear();
    int mark = message.begin('Q');
    message.addText(text);
    message.end(mark);
    channel.send(message.array(), 0, message.length());
    connection.pending.add(MessageKind.OUR_QUERY, ownQuery);
    transaction.endGroup();
    channel.await(ownQuery::isOver);
    return ownQuery;
  }

  private EpochCheck check(FenceRequirement need) throws FenceNotReadyException {
    boolean maybe = need == FenceRequirement.READ_ONLY_IF_STALE;
    if (maybe && connection.isInRecovery()) {
      return READ_ONLY;
    }
    try {
      return checks().check(transaction.epochToCheck(connection.site()), maybe);
    } catch (FenceNotReadyException e) {
      if (maybe && connection.isInRecovery()) { // Detected meanwhile.
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
