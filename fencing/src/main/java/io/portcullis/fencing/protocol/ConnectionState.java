package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.protocol.EpochCheckSql.EpochCheck;
import org.jspecify.annotations.Nullable;

/** What both sides of a line have to know: what was said, and what is still to be answered. */
final class ConnectionState {
  /** How far the session has come. */
  enum Phase {
    /** Nothing is known yet of where it leads. */
    STARTUP,
    /** The driver proves who it is. */
    AUTHENTICATING,
    /** Statements are sent and answered. */
    OPEN,
    /** It leads to no fenced database, or is none of ours any more: all passes as it is. */
    UNFENCED
  }

  final PendingReplies pending = new PendingReplies();
  final NameTable statements = new NameTable();
  final NameTable portals = new NameTable();
  final TransactionState transaction = new TransactionState();
  final ReadOnlyFastPath fastPath = new ReadOnlyFastPath(this);

  Phase phase = Phase.STARTUP;

  /** The byte by which the server answers a request for encryption is awaited. */
  char encryptionAsked;

  private @Nullable FencedDatabase site;

  /** The session asked for replication, so the server may take replication commands. */
  boolean replication;

  int backendPid;

  /** What the server says of itself; servers before 14 and some poolers do not. */
  @Nullable Boolean hotStandby;

  /** The server skips all up to the next Sync, which was not sent yet. */
  boolean skipping;

  /** The server takes data by the extended protocol, and no notice of a Sync. */
  boolean copying;

  /** The fence is held for the session until the group under way is answered. */
  boolean holding;

  long heldGroup;

  /** What the fence is held by. */
  @Nullable EpochCheckSql heldBy;

  /** Null until it was prepared, and after it was lost: the check before what writes ... */
  @Nullable EpochCheck prepared;

  /** ... and before what perhaps does. */
  @Nullable EpochCheck preparedMaybe;

  /** A prepared check got lost unseen: sessions are changed behind our back. */
  boolean preparesEachTime;

  /** The session's prepared statements are gone, or one of ours is. */
  void forgetPrepared() {
    prepared = null;
    preparedMaybe = null;
  }

  /**
   * Whether the server is in recovery, as far as is known here. Since it may be promoted at any
   * moment, nothing is sent that would be unsafe if this were false.
   */
  boolean isInRecovery() {
    Boolean said = hotStandby;
    return said == null ? site().isInRecovery() : said;
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
      throw new AssertionError("a statement on a line that leads nowhere yet");
    }
    return site;
  }
}
