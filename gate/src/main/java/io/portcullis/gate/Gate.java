package io.portcullis.gate;

import io.portcullis.gate.CallLedger.CallEnd;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Entry points for woven code. A woven method is equivalent to this source:
 *
 * <pre>{@code
 * if (Gate.enter(7)) {
 *   return;
 * }
 * try {
 *   // the body
 * } finally {
 *   Gate.exit(7);
 * }
 * }</pre>
 *
 * <p>A method declared to return a {@code CompletionStage} or {@code CompletableFuture} calls
 * {@link #enterOrFail} first, and {@link #exitWhenDone} with its result.
 *
 * <p>A method of a rule that rechecks or interrupts calls {@link #pass} instead, and keeps the
 * {@link AdmittedCall} until its end. A constructor calls {@link #check} and nothing else.
 *
 * <p>The number is the slot of the rule's {@link Checkpoint}, fixed before the class is woven.
 * While the gate is open a call costs one volatile read, one clock read and two additions to the
 * thread's own cache line. It allocates nothing and never blocks.
 */
public final class Gate {
  /** Maximum number of rules in one JVM, over all elections. */
  public static final int MAX_CHECKPOINTS = 16_384;

  /**
   * Each element is written once, before any class contains its number. Read without a barrier: a
   * thread that saw the element too late would find null, and refuse.
   */
  private static final Checkpoint[] CHECKPOINTS = new Checkpoint[MAX_CHECKPOINTS];

  /**
   * Per slot: calls that ended although their end could not be recorded, since the stack was full.
   * Woven code increments it too. It is incremented in place, because a method call would need
   * stack space, and only where the call has certainly entered and its end or refusal was certainly
   * not recorded.
   *
   * <p>Plain additions: threads that increment an element at the same time may lose an increment,
   * and that call then seems to be in flight forever, which is the safe side. The value is never
   * too high.
   */
  @SuppressWarnings("MutablePublicArray") // Woven code can't call a method at this point.
  public static final int[] UNREPORTED_EXITS = new int[MAX_CHECKPOINTS];

  private static final AtomicInteger NEXT_SLOT = new AtomicInteger();

  private Gate() {}

  /**
   * Checks a call. False: the body runs, and the caller must call {@link #exit} when it has ended,
   * normally or not. True: the body must be skipped. Throws if the rule's refusal does. If the body
   * does not run, {@link #exit} must not be called.
   */
  public static boolean enter(int rule) {
    Checkpoint checkpoint = checkpoint(rule);
    return !checkpoint.tryEnter() && checkpoint.refuseEntry();
  }

  /**
   * Records that a body admitted by {@link #enter} has ended, normally or not. If this throws a
   * {@code StackOverflowError}, there was no stack space for the call, and the caller must
   * increment {@link #UNREPORTED_EXITS}.
   */
  public static void exit(int rule) {
    try {
      checkpoint(rule).end();
    } catch (StackOverflowError full) {
      UNREPORTED_EXITS[rule]++;
    }
  }

  /**
   * Records that an admitted body has returned a future: the call ends when the future is done, and
   * is in flight until then. The future itself is not changed. If it can't be waited for, the call
   * ends at once.
   */
  public static void exitWhenDone(int rule, CompletionStage<?> returned) {
    CallEnd end;
    try {
      Checkpoint checkpoint = checkpoint(rule);
      checkpoint.election().left();
      CallLedger ledger = checkpoint.ledger;
      if (returned.getClass() == CompletableFuture.class
          && ((CompletableFuture<?>) returned).isDone()) {
        ledger.end();
        return;
      }
      end = new CallEnd(ledger);
    } catch (StackOverflowError | OutOfMemoryError full) {
      UNREPORTED_EXITS[rule]++;
      throw full;
    }
    end.listenTo(returned);
  }

  /**
   * Checks a call like {@link #enter}, without a following {@link #exit}. For constructors, whose
   * end can't be tracked: they are never in flight and never counted as passed.
   */
  public static boolean check(int rule) {
    Checkpoint checkpoint = checkpoint(rule);
    return !checkpoint.tryPass() && checkpoint.refusePass();
  }

  /**
   * Checks a call of a method that returns a future. Null: the body runs, and {@link #exitWhenDone}
   * must follow, or {@link #exit} if it threw or returned null. Otherwise the body must be skipped,
   * and the method returns the given future, which has failed with the {@link NotLeaderException}.
   * Any other exception of the refusal is thrown.
   */
  public static @Nullable CompletableFuture<Object> enterOrFail(int rule) {
    Checkpoint checkpoint = checkpoint(rule);
    if (checkpoint.tryEnter()) {
      return null;
    }
    try {
      return checkpoint.refuseEntry()
          ? CompletableFuture.failedFuture(checkpoint.notLeader(false))
          : null;
    } catch (NotLeaderException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /**
   * Whether a call of {@link #enter} would be refused now. For rules that refuse only under a
   * condition that is expensive to evaluate.
   */
  public static boolean isShut(int rule) {
    return !checkpoint(rule).election().isOpen();
  }

  /**
   * Checks a call of a rule that rechecks or interrupts, like {@link #enter}. Null: the body must
   * be skipped. Otherwise it runs, and {@link AdmittedCall#leave} or {@link AdmittedCall#answer}
   * must follow.
   */
  public static @Nullable AdmittedCall pass(int rule, boolean interrupt) {
    return checkpoint(rule).pass(interrupt);
  }

  /**
   * Like {@link #pass}, for a method that returns a future. Returns an {@link AdmittedCall}, or
   * else what the method must return, as in {@link #enterOrFail}.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The woven method returns it.
  public static Object passOrFail(int rule, boolean interrupt) {
    Checkpoint checkpoint = checkpoint(rule);
    try {
      AdmittedCall admitted = checkpoint.pass(interrupt);
      return admitted == null
          ? CompletableFuture.failedFuture(checkpoint.notLeader(false))
          : admitted;
    } catch (NotLeaderException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /**
   * Ends an admitted call with {@link AdmittedCall#leave}. Woven code calls this method instead of
   * {@code AdmittedCall} because its class has already resolved {@code Gate}: for another type the
   * JVM might first have to ask the application's class loader, and when the stack is full there is
   * no space for that.
   */
  public static void leave(Object admitted, @Nullable Throwable thrown, boolean recheck) {
    ((AdmittedCall) admitted).leave(thrown, recheck);
  }

  /** Ends an admitted call with {@link AdmittedCall#answer}, for the same reason. */
  public static @Nullable Object leaveWith(
      Object admitted, @Nullable Object returned, boolean recheck) {
    return ((AdmittedCall) admitted).answer((CompletionStage<?>) returned, recheck);
  }

  /**
   * Creates the exception for a caller whose call {@link #enter} has refused without an exception.
   */
  public static NotLeaderException notLeader(int rule) {
    return checkpoint(rule).notLeader(false);
  }

  /**
   * The result of a method whose call {@link #enter} has refused, if the rule's refusal supplies
   * it. The method throws whatever this throws.
   */
  public static @Nullable Object answer(int rule, String method) {
    return checkpoint(rule).answer(method);
  }

  /**
   * Sets the refusal as the cause of an application exception, unless that already has a cause or
   * allows none.
   */
  public static Throwable because(NotLeaderException refused, Throwable exception) {
    try {
      return exception.initCause(refused);
    } catch (IllegalStateException | UnsupportedOperationException causeIsFixed) {
      return exception;
    }
  }

  /**
   * Installs the gate of an election, shut.
   *
   * @throws IllegalArgumentException if the name is missing
   * @throws IllegalStateException if the election has one already
   */
  public static ElectionGate addElection(String name) {
    return ElectionRegistry.add(name);
  }

  /**
   * Installs the checkpoint of a rule. Its {@link Checkpoint#slot()} is what the weaver writes into
   * the classes.
   *
   * @throws IllegalStateException if there are {@link #MAX_CHECKPOINTS} already
   */
  public static Checkpoint addCheckpoint(String id, ElectionGate election, Refusal refusal) {
    Objects.requireNonNull(id, "id of the rule");
    Objects.requireNonNull(election, "election of the rule");
    Objects.requireNonNull(refusal, "refusal of the rule");
    int slot = NEXT_SLOT.getAndIncrement();
    if (slot >= MAX_CHECKPOINTS) {
      throw new IllegalStateException(
          "No slot left for rule '%s': one JVM can have %d rules.".formatted(id, MAX_CHECKPOINTS));
    }
    Checkpoint checkpoint = new Checkpoint(slot, id, election, refusal);
    election.add(checkpoint);
    CHECKPOINTS[slot] = checkpoint;
    return checkpoint;
  }

  private static Checkpoint checkpoint(int rule) {
    if (rule >= 0 && rule < MAX_CHECKPOINTS) {
      Checkpoint checkpoint = CHECKPOINTS[rule];
      if (checkpoint != null) {
        return checkpoint;
      }
    }
    throw new IllegalStateException(
        "Call refused: no rule is installed at slot %d of the gate.".formatted(rule));
  }
}
