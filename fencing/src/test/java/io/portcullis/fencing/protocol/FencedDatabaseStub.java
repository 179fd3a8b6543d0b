package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A fenced database of a test. */
final class FencedDatabaseStub implements FencedDatabase {
  static final String HOLDER = "node-a";
  static final CheckFunctions FUNCTIONS =
      new CheckFunctions(
          "fences.fence_check_2", "fences.fence_hold_2", "fences.fence_let_go_2", "orders:writer");

  volatile CheckFunctions functions = FUNCTIONS;
  volatile long open = 7;
  volatile long pinned;
  volatile boolean fencesUngated = true;
  volatile @Nullable String notReady;
  volatile long refusedEpoch = -1;
  volatile boolean forgotten;
  volatile boolean inRecovery;
  final AtomicInteger asked = new AtomicInteger();

  /** The message for a refused write. */
  static final class StaleEpochException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    StaleEpochException(long epoch) {
      super("refused under epoch " + epoch);
    }
  }

  @Override
  public CheckFunctions checkFunctions() throws FenceNotReadyException {
    String why = notReady;
    if (why != null) {
      throw new FenceNotReadyException(why);
    }
    asked.incrementAndGet();
    return functions;
  }

  @Override
  public boolean isInRecovery() {
    return inRecovery;
  }

  @Override
  public String holder() {
    return HOLDER;
  }

  @Override
  public long pinnedEpoch() {
    return pinned;
  }

  @Override
  public boolean fencesUngated() {
    return fencesUngated;
  }

  @Override
  public long openEpoch() {
    return open;
  }

  @Override
  public void refused(long epoch, boolean isForgotten) {
    refusedEpoch = epoch;
    forgotten = isForgotten;
  }

  @Override
  public RuntimeException refusal(long epoch) {
    return new StaleEpochException(epoch);
  }
}
