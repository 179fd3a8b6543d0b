package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.protocol.EpochCheckSql.EpochCheck;
import org.jspecify.annotations.Nullable;

/** State of a connection that both directions share: the session's phase and open requests. */
final class ConnectionState {
  /** Phase of the session. */
  enum Phase {
    /** The target database is not known yet. */
    STARTUP,
    /** The driver is authenticating. */
    AUTHENTICATING,
    /** Statements may be sent. */
    OPEN,
    /** The database is not fenced, or no longer concerns us: all bytes pass unchanged. */
    UNFENCED
  }

  final PendingReplies pending = new PendingReplies();
  final NameTable statements = new NameTable();
  final NameTable portals = new NameTable();
  final TransactionState transaction = new TransactionState();
  final ReadOnlyFastPath fastPath = new ReadOnlyFastPath(this);

  Phase phase = Phase.STARTUP;

  /** Type of the encryption request ('S' TLS, 'G' GSS) to which the server responds with a byte. */
  char encryptionAsked;

  private @Nullable FencedDatabase site;

  /** The session asked for replication, so the server may take replication commands. */
  boolean replication;

  int backendPid;

  /** As reported by the server; null with servers before 14 and some poolers. */
  @Nullable Boolean hotStandby;

  /** The server skips all messages up to the next Sync, which was not sent yet. */
  boolean skipping;

  /** The server receives COPY data in the extended protocol, and ignores Sync. */
  boolean copying;

  /** The fence is locked for the session until the response to the current group. */
  boolean holding;

  long heldGroup;

  /** The SQL with which the fence was locked. */
  @Nullable EpochCheckSql heldBy;

  /** The prepared check before statements that write; null if not prepared, or lost. */
  @Nullable EpochCheck prepared;

  /** The prepared check before statements that may write; null if not prepared, or lost. */
  @Nullable EpochCheck preparedMaybe;

  /** A prepared check was lost unnoticed: a pooler switches sessions. */
  boolean preparesEachTime;

  /** Called when the session's prepared statements, or one of the fence's, are gone. */
  void forgetPrepared() {
    prepared = null;
    preparedMaybe = null;
  }

  /**
   * Whether the server was last known to be in recovery. It may be promoted at any moment, so
   * nothing is sent that would be unsafe if this were false.
   */
  boolean isInRecovery() {
    Boolean reported = hotStandby;
    return reported == null ? site().isInRecovery() : reported;
  }

  void enter(FencedDatabase fenced) {
    site = fenced;
    phase = Phase.AUTHENTICATING;
  }

  @Nullable FencedDatabase siteOrNull() {
    return site;
  }

  FencedDatabase site() {
    if (site == null) {
      throw new AssertionError("a statement on a connection whose database is unknown");
    }
    return site;
  }
}
