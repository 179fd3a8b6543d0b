package io.portcullis.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The books of one checkpoint: how many calls entered, how many of them ended, how many were
 * refused. A call is in flight when it has entered and has neither ended nor been refused.
 *
 * <p><b>Why a drain may trust a zero.</b> Whoever lets go of leadership shuts the gate, waits until
 * no call is in flight, and only then releases the lease. That is safe because:
 *
 * <ol>
 *   <li>A call is entered <em>before</em> it reads the permit. The other order would let a thread
 *       read an open permit and pause; gate shut, nobody in flight, lease released; the thread goes
 *       on.
 *   <li>{@link VarHandle#getAndAdd} has the effects of a volatile read and a volatile write, and
 *       the permit is volatile, so all of these actions have one total order that every thread
 *       agrees with. A call that found the permit open was therefore entered before the gate was
 *       shut. {@link java.util.concurrent.atomic.LongAdder} would not do: it adds with release
 *       semantics only, after which the permit may be read early.
 *   <li>{@link #left()} is read over all stripes before {@link #entered()} is. Take the moment T
 *       between the two. Each call counted as left had entered before it left, so before T, and is
 *       counted as entered too. Each call entered before T is counted as entered. So a difference
 *       of zero says that every call entered before T had also left before T. With the gate shut
 *       before T, calls entered after T are refused.
 * </ol>
 *
 * <p><b>Where the stack is full</b>, none of these methods can be called any more, and a call that
 * has entered could never be told to be gone: who lets go of leadership would wait for it in vain.
 * So whoever fails to tell adds one to its element of {@link Gate#UNREPORTED_EXITS} instead, in
 * place.
 *
 * <p>Stripes keep threads from fighting over one cache line. It does not matter whether a call ends
 * in the stripe in which it entered: only sums are used.
 */
final class CallLedger {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** 128 bytes, because processors fetch cache lines in pairs. */
  private static final int LONGS_PER_STRIPE = 16;

  private static final int MAX_STRIPES = 64;
  private static final int STRIPES =
      Math.min(MAX_STRIPES, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()) * 8);

  /** Leaves as many upper bits of a hash as it takes to number the stripes. */
  private static final int HASH_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);

  /** 2^64 over the golden ratio: neighbouring thread ids land far apart. */
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  /** The cells of one stripe. */
  private static final int ENTERED = 0;

  private static final int ENDED = 1;
  private static final int REFUSED = 2;

  /**
   * The first stripe stays empty, to keep the others off the cache line of whatever lies before.
   */
  private final long[] cells = new long[(1 + STRIPES) * LONGS_PER_STRIPE];

  /** Of the checkpoint. */
  final int slot;

  CallLedger(int slot) {
    this.slot = slot;
  }

  void enter() {
    add(ENTERED);
  }

  void end() {
    add(ENDED);
  }

  void refuse() {
    add(REFUSED);
  }

  long entered() {
    return sum(ENTERED);
  }

  long ended() {
    return sum(ENDED);
  }

  long refused() {
    return sum(REFUSED);
  }

  /** Calls that have entered and are gone, one way or the other. */
  long left() {
    return ended() + refused() + Gate.UNREPORTED_EXITS[slot];
  }

  /** Zero proves a moment, within this method, at which no call was in flight. */
  long inFlight() {
    long left = left();
    return entered() - left;
  }

  private void add(int cell) {
    CELL.getAndAdd(cells, stripeOfThisThread() + cell, 1L);
  }

  private static int stripeOfThisThread() {
    long hash = Thread.currentThread().getId() * HASH_FACTOR;
    return (1 + (int) (hash >>> HASH_SHIFT)) * LONGS_PER_STRIPE;
  }

  private long sum(int cell) {
    long sum = 0;
    for (int i = LONGS_PER_STRIPE + cell; i < cells.length; i += LONGS_PER_STRIPE) {
      sum += (long) CELL.getVolatile(cells, i);
    }
    return sum;
  }

  /** The end of one call that answered by a future: entered in the books once, whoever tells it. */
  static final class CallEnd extends AtomicBoolean implements BiConsumer<Object, Throwable> {
    private static final long serialVersionUID = 1;

    private final transient CallLedger ledger;

    CallEnd(CallLedger ledger) {
      this.ledger = ledger;
    }

    /**
     * Ends a call when the stage is done. The stage may be of the application's own making and
     * throw anything, before or after it took note; the call has returned by then, and its caller
     * must get the stage all the same.
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
          Gate.UNREPORTED_EXITS[ledger.slot]++;
        }
      }
    }
  }
}
