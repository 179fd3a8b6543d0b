package io.portcullis.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The future that a caller gets instead of a method's own future, so that it does not succeed under
 * an epoch that was lost meanwhile.
 */
final class RecheckedFuture extends CompletableFuture<Object> {
  private final CompletionStage<?> source;
  private final AdmittedCall call;
  private final AtomicBoolean ended = new AtomicBoolean();

  RecheckedFuture(CompletionStage<?> source, AdmittedCall call) {
    this.source = source;
    this.call = call;
  }

  /**
   * Registers for the end of the source. The stage may be an application class and throw anything.
   * If it accepts no callback, the end of the call would never be known, so this future fails at
   * once.
   */
  RecheckedFuture listening() {
    try {
      source.whenComplete(this::finish);
    } catch (Throwable failedCallback) {
      finish(null, failedCallback);
    }
    return this;
  }

  /** Ends the call before the callbacks of this future run: they are not part of the call. */
  private void finish(@Nullable Object result, @Nullable Throwable failure) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    boolean lost;
    try {
      lost = failure == null && call.isLost();
    } finally {
      call.end();
    }
    if (failure != null) {
      completeExceptionally(failure);
    } else if (lost) {
      completeExceptionally(call.lost());
    } else {
      complete(result);
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (source instanceof Future<?> future) {
      try {
        future.cancel(mayInterruptIfRunning);
      } catch (UnsupportedOperationException notCancellable) {
        return super.cancel(mayInterruptIfRunning); // The source does not support cancellation.
      }
    }
    return super.cancel(mayInterruptIfRunning);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
