package io.portcullis.gate;

import io.portcullis.gate.CallLedger.CallEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A call that was admitted by a rule that tracks its end: it holds the epoch under which the call
 * entered. Woven code keeps it in a variable of the method and must end it exactly once, with
 * {@link #leave} or {@link #answer}.
 */
public final class AdmittedCall {
  /** Marks a call that runs although the gate is shut, since its rule only observes. */
  private static final long NO_EPOCH = -1;

  private final Checkpoint checkpoint;
  private final long epoch;
  private final InterruptibleCalls.@Nullable Call interruptible;

  private AdmittedCall(
      Checkpoint checkpoint, long epoch, InterruptibleCalls.@Nullable Call interruptible) {
    this.checkpoint = checkpoint;
    this.epoch = epoch;
    this.interruptible = interruptible;
  }

  static AdmittedCall under(Permit permit, Checkpoint checkpoint) {
    return new AdmittedCall(checkpoint, permit.epoch, null);
  }

  /**
   * Creates a call that is interrupted when leadership is lost.
   *
   * @param losses the gate's count of losses, read before the permit
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
   * Records that the body has ended.
   *
   * @param thrown what it threw, which is rethrown unchanged; null if it ended normally
   * @param recheck whether a normal end under a lost epoch must fail
   * @throws LeadershipLostException if it does
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
   * Records that the body has ended normally with a future; the call is in flight until the future
   * is done.
   *
   * @return what the method must return. Without {@code recheck}, or if the future has already
   *     succeeded and the epoch is still held, this is the future itself. Otherwise it is another
   *     future, which ends like the given one, but fails with a {@link LeadershipLostException}
   *     instead of succeeding if the epoch is lost by then. Cancelling it cancels the given one
   *     too.
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

  /** Whether the gate is no longer open under the epoch of this call. */
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

  /** Records that the thread has left the method; the call itself may end later. */
  private void leaveThread() {
    checkpoint.election().left();
    if (interruptible != null) {
      interruptible.end();
    }
  }

  /**
   * Trusts only {@link CompletableFuture} itself, not a subclass, which may override {@code
   * isDone}.
   */
  private static boolean isDone(CompletionStage<?> stage) {
    return stage.getClass() == CompletableFuture.class && ((CompletableFuture<?>) stage).isDone();
  }

  private static boolean hasFailed(@Nullable CompletionStage<?> done) {
    return done instanceof CompletableFuture<?> future && future.isCompletedExceptionally();
  }
}
