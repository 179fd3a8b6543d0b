package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A fence in memory, that can be cut off, be slow, and forget. */
final class InMemoryFence implements EpochFence {
  private final List<Runnable> withheld = new ArrayList<>();
  private final List<FenceState> installed = new ArrayList<>();
  private final List<FenceState> asked = new ArrayList<>();
  private FenceState mark = FenceState.NONE;
  private @Nullable String broken;
  private boolean slow;
  private boolean closed;
  private int reads;

  /** All questions fail from now on, or work again. */
  synchronized void breakDown(@Nullable String why) {
    broken = why;
  }

  /** What is asked from now on is neither done nor answered before {@link #answer}. */
  synchronized void withhold() {
    slow = true;
  }

  /** Does and answers what was withheld. */
  void answer() {
    List<Runnable> due;
    synchronized (this) {
      slow = false;
      due = List.copyOf(withheld);
      withheld.clear();
    }
    due.forEach(Runnable::run);
  }

  /** Somebody else's hand, or an older copy of the database. */
  synchronized void set(long epoch, String holder) {
    mark = new FenceState(epoch, holder);
  }

  synchronized FenceState mark() {
    return mark;
  }

  /** What it was raised to, in order. */
  synchronized List<FenceState> installed() {
    return List.copyOf(installed);
  }

  /** What it was asked to be raised to, done or not. */
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
    return "a plain place";
  }

  @Override
  public synchronized CompletionStage<FenceState> read() {
    reads++;
    return serve(() -> mark);
  }

  @Override
  public synchronized CompletionStage<FenceState> install(long epoch, String holder) {
    asked.add(new FenceState(epoch, holder));
    return serve(() -> raise(new FenceState(epoch, holder)));
  }

  private FenceState raise(FenceState to) {
    if (to.epoch() > mark.epoch()) {
      mark = to;
      installed.add(to);
    }
    return mark;
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
