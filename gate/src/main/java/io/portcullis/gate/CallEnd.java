package io.portcullis.gate;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** The end of one call that answered by a future: entered in the books once, whoever tells it. */
final class CallEnd extends AtomicBoolean implements BiConsumer<Object, Throwable> {
  private static final long serialVersionUID = 1;

  private final transient CallLedger ledger;

  CallEnd(CallLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Ends a call when the stage is done. The stage may be of the application's own making and throw
   * anything, before or after it took note; the call has returned by then, and its caller must get
   * the stage all the same.
   */
  void listenTo(CompletionStage<?> stage) {
    try {
      stage.whenComplete(this);
    } catch (Throwable cannotBeWaitedFor) {
      accept(null, cannotBeWaitedFor);
    }
  }

  @Override
  public void accept(@Nullable Object result, @Nullable Throwable failure) {
    if (compareAndSet(false, true)) {
      try {
        ledger.end();
      } catch (StackOverflowError full) {
        Gate.UNTOLD[ledger.slot]++;
      }
    }
  }
}
