package io.portcullis.gate;

import io.portcullis.gate.CallLedger.CallEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A call that a rule has let in and wants to hear of again: it holds the epoch under which the call
 * entered. Woven code keeps it in a variable of the method and must end it once, by {@link #leave}
 * or {@link #answer}.
 */
public final class AdmittedCall {
  /** Stands for a call that runs although the gate is shut, since its rule only observes. */
  private static final long NO_EPOCH = -1;

  private final Checkpoint checkpoint;
  private final long epoch;
  private final InterruptibleCalls.@Nullable Call inside;

  private AdmittedCall(
      Checkpoint checkpoint, long epoch, InterruptibleCalls.@Nullable Call inside) {
    this.checkpoint = checkpoint;
    this.epoch = epoch;
    this.inside = inside;
  }

  static AdmittedCall under(Permit permit, Checkpoint checkpoint) {
    return new AdmittedCall(checkpoint, permit.epoch, null);
  }

  /**
   * The same, to be interrupted when leadership is lost.
   *
   * @param losses of the gate, from before the permit was read
   */
  static AdmittedCall interruptible(Permit permit, Checkpoint checkpoint, long losses) {
    return new AdmittedCall(
        checkpoint,
        permit.epoch,
        InterruptibleCalls.begin(checkpoint.election(), permit.epoch, losses));
  }

  static AdmittedCall observed(Checkpoint checkpoint) {
    return new AdmittedCall(checkpoint, NO_EPOCH, null);
  }

  /**
   * Tells that the body has ended.
   *
   * @param thrown what it threw, which goes out as it is; null if it ended normally
   * @param recheck whether a normal end under a lost epoch must not look like one
   * @throws LeadershipLostException if so
   */
  public void leave(@Nullable Throwable thrown, boolean recheck) {
    LeadershipLostException lost = null;
    try {
      leaveThread();
      if (recheck && thrown == null && isLost()) {
        lost = lost();
      }
      checkpoint.ledger.end();
    } catch (RuntimeException | VirtualMachineError | LinkageError full) {
      Gate.UNREPORTED_EXITS[checkpoint.ledger.slot]++;
      throw full;
    }
    if (lost != null) {
      throw lost;
    }
  }

  /**
   * Tells that the body has ended normally with a future; the call is in flight until that is done.
   *
   * @return what the method must return. Without {@code recheck} that is the future itself, and
   *     also if it has succeeded already and the epoch is still held. Else it is another, which
   *     ends as the given one does, but fails with a {@link LeadershipLostException} instead of
   *     succeeding if the epoch is lost by then. To cancel that one cancels the given one too.
   */
  public @Nullable CompletionStage<?> answer(
      @Nullable CompletionStage<?> returned, boolean recheck) {
    boolean ends = true;
    boolean lost = false;
    try {
      leaveThread();
      if (returned == null || isDone(returned)) {
        lost = recheck && isLost();
      } else if (recheck) {
        RecheckedFuture rechecked = new RecheckedFuture(returned, this);
        ends = false;
        return rechecked.listening();
      } else {
        CallEnd end = new CallEnd(checkpoint.ledger);
        ends = false;
        end.listenTo(returned);
      }
    } finally {
      if (ends) {
        end();
      }
    }
    return lost && !hasFailed(returned) ? CompletableFuture.failedFuture(lost()) : returned;
  }

  /** Whether the gate is not open under the epoch of this call any more. */
  boolean isLost() {
    return epoch != NO_EPOCH && !checkpoint.election().isOpenUnder(epoch);
  }

  LeadershipLostException lost() {
    return new LeadershipLostException(checkpoint.election().name(), checkpoint.id(), epoch);
  }

  void end() {
    try {
      checkpoint.ledger.end();
    } catch (StackOverflowError full) {
      Gate.UNREPORTED_EXITS[checkpoint.ledger.slot]++;
    }
  }

  /** The thread is out of the method, whenever the call itself may end. */
  private void leaveThread() {
    checkpoint.election().left();
    if (inside != null) {
      inside.end();
    }
  }

  /** Only of a class that is surely what it says. */
  private static boolean isDone(CompletionStage<?> stage) {
    return stage.getClass() == CompletableFuture.class && ((CompletableFuture<?>) stage).isDone();
  }

  private static boolean hasFailed(@Nullable CompletionStage<?> done) {
    return done instanceof CompletableFuture<?> future && future.isCompletedExceptionally();
  }
}
