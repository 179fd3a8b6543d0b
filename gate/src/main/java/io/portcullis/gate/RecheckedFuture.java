package io.portcullis.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a caller gets instead of a method's own future, so that it does not succeed under an epoch
 * that was lost meanwhile.
 */
final class RecheckedFuture extends CompletableFuture<Object> {
  private final CompletionStage<?> source;
  private final AdmittedCall passage;
  private final AtomicBoolean ended = new AtomicBoolean();

  RecheckedFuture(CompletionStage<?> source, AdmittedCall passage) {
    this.source = source;
    this.passage = passage;
  }

  /**
   * The stage may be of the application's own making and throw anything. If it can't be listened
   * to, nobody would ever learn how the call ended, so this future fails at once.
   */
  RecheckedFuture listening() {
    try {
      source.whenComplete(this::finish);
    } catch (Throwable cannotBeWaitedFor) {
      finish(null, cannotBeWaitedFor);
    }
    return this;
  }

  /** The call has ended before those who wait for this future run: they are no part of it. */
  private void finish(@Nullable Object result, @Nullable Throwable failure) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    boolean lost;
    try {
      lost = failure == null && passage.isLost();
    } finally {
      passage.end();
    }
    if (failure != null) {
      completeExceptionally(failure);
    } else if (lost) {
      completeExceptionally(passage.lost());
    } else {
      complete(result);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (source instanceof Future<?> future) {
      try {
        future.cancel(mayInterruptIfRunning);
      } catch (UnsupportedOperationException onlyAStage) {
        return super.cancel(mayInterruptIfRunning); // Who gave it away lets nobody cancel it.
      }
    }
    return super.cancel(mayInterruptIfRunning);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
