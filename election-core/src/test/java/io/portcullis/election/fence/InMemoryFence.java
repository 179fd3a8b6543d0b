package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A fence in memory that can be disconnected, delayed and reset. */
final class InMemoryFence implements EpochFence {
  private final List<Runnable> withheld = new ArrayList<>();
  private final List<FenceState> installed = new ArrayList<>();
  private final List<FenceState> asked = new ArrayList<>();
  private FenceState state = FenceState.NONE;
  private @Nullable String broken;
  private boolean slow;
  private boolean closed;
  private int reads;

  /** Makes all requests fail from now on, or work again. */
  synchronized void breakDown(@Nullable String why) {
    broken = why;
  }

  /**
   * Withholds requests from now on: they are neither executed nor completed before {@link #answer}.
   */
  synchronized void withhold() {
    slow = true;
  }

  /** Executes and completes the withheld requests. */
  void answer() {
    List<Runnable> due;
    synchronized (this) {
      slow = false;
      due = List.copyOf(withheld);
      withheld.clear();
    }
    due.forEach(Runnable::run);
  }

  /** Sets the state, like an operator's edit or an older copy of the database. */
  synchronized void set(long epoch, String holder) {
    state = new FenceState(epoch, holder);
  }

  synchronized FenceState state() {
    return state;
  }

  /** States that were installed, in order. */
  synchronized List<FenceState> installed() {
    return List.copyOf(installed);
  }

  /** States that were requested, installed or not. */
  synchronized List<FenceState> asked() {
    return List.copyOf(asked);
  }

  synchronized int reads() {
    return reads;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public String describe() {
    return "fence in memory";
  }

  @Override
  public synchronized CompletionStage<FenceState> read() {
    reads++;
    return serve(() -> state);
  }

  @Override
  public synchronized CompletionStage<FenceState> install(long epoch, String holder) {
    asked.add(new FenceState(epoch, holder));
    return serve(() -> raise(new FenceState(epoch, holder)));
  }

  private FenceState raise(FenceState to) {
    if (to.epoch() > state.epoch()) {
      state = to;
      installed.add(to);
    }
    return state;
  }

  private CompletionStage<FenceState> serve(java.util.function.Supplier<FenceState> work) {
    CompletableFuture<FenceState> answer = new CompletableFuture<>();
    Runnable all = () -> complete(answer, work);
    if (slow) {
      withheld.add(all);
    } else {
      all.run();
    }
    return answer;
  }

  private void complete(
      CompletableFuture<FenceState> answer, java.util.function.Supplier<FenceState> work) {
    FenceState done;
    synchronized (this) {
      if (broken != null) {
        answer.completeExceptionally(new IllegalStateException(broken));
        return;
      }
      done = work.get();
    }
    answer.complete(done);
  }

  @Override
  public @Nullable FenceFunctions functions() {
    return null;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
