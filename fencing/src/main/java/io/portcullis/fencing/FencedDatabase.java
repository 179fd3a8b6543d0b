package io.portcullis.fencing;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fenced database, as the lines that lead to it need to know it. Any thread may ask. */
public interface FencedDatabase {

  /**
   * How transactions are checked there. Waits while that is being found out or an epoch is being
   * installed, as long as is bearable.
   *
   * @throws FenceNotReadyException if it is not known, with a sentence that names the remedy
   */
  CheckFunctions checkFunctions() throws FenceNotReadyException;

  /**
   * Whether the server was in recovery when last read, so that nothing could be written there. It
   * may have been promoted since.
   */
  boolean isInRecovery();

  /** Who writes here: this process. */
  String holder();

  /** The epoch of the outermost gated call that the calling thread is in, 0 if it is in none. */
  long pinnedEpoch();

  /** Whether writes outside any gated call are compared too; else they are sent as they are. */
  boolean fencesUngated();

  /** The epoch under which this node leads now, 0 if it does not. */
  long openEpoch();

  /**
   * The server has refused a write under this epoch.
   *
   * @param forgotten whether the fence stands below the epoch, so that it has to be raised again
   */
  void refused(long epoch, boolean forgotten);

  /** What the application is told then. */
  RuntimeException refusal(long epoch);

  /** Writes to a fenced database are refused, because nobody knows yet how to check them there. */
  public static final class FenceNotReadyException extends Exception {
    private static final long serialVersionUID = 1;

    /** With a sentence that names what is missing and the remedy. */
    public FenceNotReadyException(String why) {
      super(why);
    }
  }

  /** Tells which databases are fenced. */
  @FunctionalInterface
  public interface FencedDatabaseLookup {

    /**
     * The fenced database behind a connection of the application's, null if it is not fenced. Asked
     * once for each connection, on the thread that connects; it may wait for a few seconds at most.
     *
     * @param server the host as the driver was given it, and the address that it has connected to
     */
    @Nullable FencedDatabase find(InetSocketAddress server, String database);
  }

  /**
   * The functions by which a database compares epochs, by names that need no search path.
   *
   * @param check compares and keeps the fence until the transaction's end; takes scope, epoch,
   *     holder and whether what follows only perhaps writes
   * @param hold compares and keeps the fence for the session; takes scope, epoch and holder
   * @param letGo ends what {@code hold} began; takes the scope
   * @param scope the fence's row
   */
  public record CheckFunctions(String check, String hold, String letGo, String scope) {
    /** Refuses a missing part. */
    public CheckFunctions {
      Objects.requireNonNull(check, "check");
      Objects.requireNonNull(hold, "hold");
      Objects.requireNonNull(letGo, "letGo");
      Objects.requireNonNull(scope, "scope");
    }
  }
}
