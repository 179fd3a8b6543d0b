package io.portcullis.gate;

import io.portcullis.gate.CallLedger.CallEnd;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What woven code calls. A woven method reads, as source:
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
 * {@link #enterOrFail} first, and {@link #exitWhenDone} with what it returns.
 *
 * <p>A method of a rule that rechecks or interrupts calls {@link #pass} instead, and keeps the
 * {@link AdmittedCall} until its end. A constructor calls {@link #check} and nothing else.
 *
 * <p>The number is the slot of the rule's {@link Checkpoint}, fixed before the class is woven.
 * While the gate is open a call costs one volatile read, one reading of the clock and two additions
 * to the thread's own cache line. It allocates nothing and waits for nobody.
 */
public final class Gate {
  /** A bound on the rules of one JVM, over all elections. */
  public static final int MAX_CHECKPOINTS = 16_384;

  /**
   * Each element is written once, before any class knows its number. Read without a barrier: a
   * thread that saw the element too late would find null, and refuse.
   */
  private static final Checkpoint[] CHECKPOINTS = new Checkpoint[MAX_CHECKPOINTS];

  /**
   * By slot, calls that are gone and that nobody could be told of, since the stack was full. Raised
   * in place, without a call of a method, which takes no room; by woven code, too. Only where the
   * call has surely entered and surely was not told to have ended or been refused.
   *
   * <p>Plain additions: threads that raise one at the same time may lose one, and that call seems
   * to be in flight for good, which is the safe side. It never says more than there were.
   */
  @SuppressWarnings("MutablePublicArray") // Woven code can't call a method where it needs this.
  public static final int[] UNREPORTED_EXITS = new int[MAX_CHECKPOINTS];

  private static final AtomicInteger NEXT_SLOT = new AtomicInteger();

  private Gate() {}

  /**
   * Judges a call. False: the body runs, and the caller must call {@link #exit} when it has ended,
   * normally or not. True: the body must be skipped. Throws if the rule's refusal does. Where the
   * body does not run there is no {@link #exit}.
   */
  public static boolean enter(int rule) {
    Checkpoint checkpoint = checkpoint(rule);
    return !checkpoint.tryEnter() && checkpoint.refuseEntry();
  }

  /**
   * Tells that a body which {@link #enter} let in has ended, normally or not. If this throws a
   * {@code StackOverflowError}, there was no room to call it, and {@link #UNREPORTED_EXITS} is to
   * be raised.
   */
  public static void exit(int rule) {
    try {
      checkpoint(rule).end();
    } catch (StackOverflowError full) {
      UNREPORTED_EXITS[rule]++;
    }
  }

  /**
   * Tells that a body which was let in has returned a future: the call ends when that is done, and
   * is in flight until then. The future itself is left as it is. Where it can't be waited for, the
   * call ends at once.
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
   * Judges a call as {@link #enter} does, without any {@link #exit} to follow. For constructors,
   * whose end can't be seen: they are never in flight and never counted as passed.
   */
  public static boolean check(int rule) {
    Checkpoint checkpoint = checkpoint(rule);
    return !checkpoint.tryPass() && checkpoint.refusePass();
  }

  /**
   * Judges a call of a method that answers by a future. Null: the body runs, and {@link
   * #exitWhenDone} must follow, or {@link #exit} if it threw or returned null. Else the body must
   * be skipped, and the method returns the given future, failed with the {@link
   * NotLeaderException}. Any other exception of the refusal is thrown.
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
   * Whether a call of {@link #enter} would now be refused. For calls that a rule refuses only under
   * a condition which is worth asking for only then.
   */
  public static boolean isShut(int rule) {
    return !checkpoint(rule).election().isOpen();
  }

  /**
   * Judges a call of a rule that rechecks or interrupts, as {@link #enter} does. Null: the body
   * must be skipped. Else it runs, and {@link AdmittedCall#leave} or {@link AdmittedCall#answer}
   * must follow.
   */
  public static @Nullable AdmittedCall pass(int rule, boolean interrupt) {
    return checkpoint(rule).pass(interrupt);
  }

  /**
   * As {@link #pass} for a method that answers by a future: a {@link AdmittedCall}, or else what
   * {@link #enterOrFail} says the method must return.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The woven method returns it.
  public static Object passOrFail(int rule, boolean interrupt) {
    Checkpoint checkpoint = checkpoint(rule);
    try {
      AdmittedCall passage = checkpoint.pass(interrupt);
      return passage == null
          ? CompletableFuture.failedFuture(checkpoint.notLeader(false))
          : passage;
    } catch (NotLeaderException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /**
   * Ends a passage by {@link AdmittedCall#leave}. Woven code comes this way, since {@code Gate} is
   * what its class knows already: for another type the JVM might first have to ask the
   * application's class loader, and where the stack is full there is no room for that.
   */
  public static void leave(Object passage, @Nullable Throwable thrown, boolean recheck) {
    ((AdmittedCall) passage).leave(thrown, recheck);
  }

  /** Ends a passage by {@link AdmittedCall#answer}, for the same reason. */
  public static @Nullable Object leaveWith(
      Object passage, @Nullable Object returned, boolean recheck) {
    return ((AdmittedCall) passage).answer((CompletionStage<?>) returned, recheck);
  }

  /** What to tell a caller whom {@link #enter} has refused without an exception. */
  public static NotLeaderException notLeader(int rule) {
    return checkpoint(rule).notLeader(false);
  }

  /**
   * What a method must return whose call {@link #enter} has refused, where the rule's refusal says
   * so itself. Whatever that throws, the method throws.
   */
  public static @Nullable Object answer(int rule, String method) {
    return checkpoint(rule).answer(method);
  }

  /**
   * Gives an exception of the application's own the refusal as its cause, unless it has settled on
   * a cause already or allows none.
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
