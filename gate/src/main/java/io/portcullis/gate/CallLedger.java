package io.portcullis.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Call counters of one checkpoint: how many calls entered, how many of them ended, how many were
 * refused, how many of these were slowed. A call is in flight when it has entered and has neither
 * ended nor been refused.
 *
 * <p>A call that is only observed is refused first, and then enters a second time for its body. How
 * often that happened is counted beside these, and plays no part in what is in flight.
 *
 * <p><b>Why a drain may rely on a zero.</b> To give up leadership, a node shuts the gate, waits
 * until no call is in flight, and only then releases the lease. That is safe because:
 *
 * <ol>
 *   <li>A call is entered <em>before</em> it reads the permit. In the other order a thread could
 *       read an open permit and pause; the gate is shut, no call is in flight, the lease is
 *       released; then the thread continues.
 *   <li>{@link VarHandle#getAndAdd} has the effects of a volatile read and a volatile write, and
 *       the permit is volatile, so all of these actions have one total order that every thread
 *       agrees with. A call that found the permit open was therefore entered before the gate was
 *       shut. {@link java.util.concurrent.atomic.LongAdder} is not sufficient: it adds with release
 *       semantics only, after which the permit may be read early.
 *   <li>{@link #left()} is read over all stripes before {@link #entered()} is. Let T be the moment
 *       between the two. Each call counted as left had entered before it left, so before T, and is
 *       counted as entered too. Each call entered before T is counted as entered. So a difference
 *       of zero proves that every call entered before T had also left before T. With the gate shut
 *       before T, calls entered after T are refused.
 * </ol>
 *
 * <p><b>When the stack is full</b>, none of these methods can be called any more, and the end of a
 * call that has entered could not be recorded: a drain would wait for it until its timeout. So code
 * that fails to record an end instead increments the element of {@link Gate#UNREPORTED_EXITS}
 * directly, without a method call.
 *
 * <p>Stripes avoid contention for one cache line. A call may end in another stripe than the one in
 * which it entered, since only sums are used.
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

  /** 2^64 divided by the golden ratio: neighbouring thread ids get distant slots. */
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  /** Offsets of the counters within a stripe. */
  private static final int ENTERED = 0;

  private static final int ENDED = 1;
  private static final int REFUSED = 2;
  private static final int OBSERVED = 3;
  private static final int SLOWED = 4;

  /**
   * The first stripe stays empty, to keep the others off the cache line of the preceding object.
   */
  private final long[] cells = new long[(1 + STRIPES) * LONGS_PER_STRIPE];

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

  /** Counts a refused call whose body runs all the same. */
  void observe() {
    add(OBSERVED);
  }

  /** Counts a refused call that was delayed. */
  void slow() {
    add(SLOWED);
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

  long observed() {
    return sum(OBSERVED);
  }

  long slowed() {
    return sum(SLOWED);
  }

  /** Calls that have entered and are no longer in flight: ended, refused, or unreported. */
  long left() {
    return ended() + refused() + Gate.UNREPORTED_EXITS[slot];
  }

  /** A zero proves that at one moment within this method no call was in flight. */
  long inFlight() {
    long left = left();
    return entered() - left;
  }

  private void add(int cell) {
    CELL.getAndAdd(cells, stripeOfThisThread() + cell, 1L);
  }

  /** A hash of the thread's id; its upper bits are the most evenly distributed. */
  static long hashOfThisThread() {
    return Thread.currentThread().getId() * HASH_FACTOR;
  }

  private static int stripeOfThisThread() {
    return (1 + (int) (hashOfThisThread() >>> HASH_SHIFT)) * LONGS_PER_STRIPE;
  }

  private long sum(int cell) {
    long sum = 0;
    for (int i = LONGS_PER_STRIPE + cell; i < cells.length; i += LONGS_PER_STRIPE) {
      sum += (long) CELL.getVolatile(cells, i);
    }
    return sum;
  }

  /** Ends one call that returned a future, exactly once even if it is invoked several times. */
  static final class CallEnd extends AtomicBoolean implements BiConsumer<Object, Throwable> {
    private static final long serialVersionUID = 1;

    private final transient CallLedger ledger;

    CallEnd(CallLedger ledger) {
      this.ledger = ledger;
    }

    /**
     * Ends the call when the stage is done. The stage may be an application class and throw
     * anything, before or after it registered the callback; the call has returned by then, and its
     * caller must get the stage anyway.
     */
    void listenTo(CompletionStage<?> stage) {
      try {
        stage.whenComplete(this);
      } catch (Throwable failedCallback) {
        accept(null, failedCallback);
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
