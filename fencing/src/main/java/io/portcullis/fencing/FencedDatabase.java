package io.portcullis.fencing;

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
}
