package io.portcullis.fencing;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** State and callbacks of one fenced database, used by the connections to it. Thread-safe. */
public interface FencedDatabase {

  /**
   * Functions that check a transaction's epoch in this database. Waits for a bounded time while
   * they are being looked up or an epoch is being installed.
   *
   * @throws FenceNotReadyException if they are not known; the message names the remedy
   */
  CheckFunctions checkFunctions() throws FenceNotReadyException;

  /**
   * Whether the server was in recovery, and so read-only, when its state was last read. It may have
   * been promoted since.
   */
  boolean isInRecovery();

  /** Identity under which this process writes. */
  String holder();

  /** The epoch of the outermost gated call that the calling thread is in, 0 if it is in none. */
  long pinnedEpoch();

  /** Whether writes outside any gated call are checked too; otherwise they are sent unchanged. */
  boolean fencesUngated();

  /** The epoch under which this node leads now, 0 if it does not lead. */
  long openEpoch();

  /**
   * Called when the server has refused a write under this epoch.
   *
   * @param forgotten whether the fence's epoch is lower, so that the fence has to be raised again
   */
  void refused(long epoch, boolean forgotten);

  /** The exception that the application gets for a write refused under this epoch. */
  RuntimeException refusal(long epoch);

  /** Thrown when writes to a fenced database are refused because they can't be checked yet. */
  public static final class FenceNotReadyException extends Exception {
    private static final long serialVersionUID = 1;

    /** The message names what is missing and the remedy. */
    public FenceNotReadyException(String why) {
      super(why);
    }
  }

  /** Finds the fenced database of a connection. */
  @FunctionalInterface
  public interface FencedDatabaseLookup {

    /**
     * The fenced database behind one of the application's connections, null if it is not fenced.
     * Called once per connection, on the thread that connects; may block for a few seconds at most.
     *
     * @param server the host name that the driver was given, and the address it has connected to
     */
    @Nullable FencedDatabase find(InetSocketAddress server, String database);
  }

  /**
   * Qualified names, independent of the search path, of the database's epoch check functions.
   *
   * @param check checks the epoch and locks the fence until the transaction ends; takes scope,
   *     epoch, holder and whether it is uncertain that the following statement writes
   * @param hold checks the epoch and locks the fence for the session; takes scope, epoch, holder
   * @param letGo releases the session's lock that {@code hold} took; takes the scope
   * @param scope key of the fence's row
   */
  public record CheckFunctions(String check, String hold, String letGo, String scope) {
    public CheckFunctions {
      Objects.requireNonNull(check, "check");
      Objects.requireNonNull(hold, "hold");
      Objects.requireNonNull(letGo, "letGo");
      Objects.requireNonNull(scope, "scope");
    }
  }
}
