package io.portcullis.gate;

import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import java.util.List;

/**
 * Checks the calls of one rule against the gate of its election: reads the gate, counts calls, and
 * passes refused calls to the rule's refusal.
 */
public final class Checkpoint {
  /**
   * Copied to constants of this class, so that the type is loaded before the first refusal: HotSpot
   * inlines no method whose return type is not loaded, and a refusal that always throws never needs
   * the type otherwise.
   */
  private static final Verdict RUN = Verdict.RUN;

  private static final Verdict ASK_AGAIN = Verdict.ASK_AGAIN;

  final CallLedger ledger;
  final RefusedCallers refusedCallers = new RefusedCallers(System.nanoTime());

  private final int slot;
  private final String id;
  private final ElectionGate election;

  private volatile Refusal refusal;

  Checkpoint(int slot, String id, ElectionGate election, Refusal refusal) {
    this.ledger = new CallLedger(slot);
    this.slot = slot;
    this.id = id;
    this.election = election;
    this.refusal = refusal;
  }

  /** The slot number that identifies this checkpoint in woven code's calls of {@link Gate}. */
  public int slot() {
    return slot;
  }

  /** The id of the rule. */
  public String id() {
    return id;
  }

  /** The gate of the rule's election. */
  public ElectionGate election() {
    return election;
  }

  /** Sets the refusal for calls refused from now on. */
  public void refuseWith(Refusal newRefusal) {
    refusal = newRefusal;
  }

  /**
   * Number of calls that have ended, normally or not, including those that were only observed. A
   * call that returns a future ends when the future is done.
   */
  public long passed() {
    return ledger.ended();
  }

  /**
   * Number of calls that found the gate shut, whatever the refusal did with them, except those that
   * were only observed.
   */
  public long blocked() {
    // In this order, calls between the two reads make the result smaller, so that a rule that only
    // observes never shows blocked calls, and the counter of a rule that refuses never decreases.
    long refused = ledger.refused();
    return Math.max(0, refused - ledger.observed());
  }

  /** Number of calls that found the gate shut and whose body ran all the same. */
  public long observed() {
    return ledger.observed();
  }

  /** Callers that found the gate shut, as far as {@link RefusedCallers} has recorded them. */
  public List<RefusedCaller> refusedCallers() {
    return refusedCallers.list();
  }

  /** Number of refused calls that were delayed by {@link RefusalRateLimiter}. */
  public long slowed() {
    return ledger.slowed();
  }

  /**
   * Number of calls whose body is running or whose future is not done, and of calls still being
   * checked.
   */
  public long callsInFlight() {
    return ledger.inFlight();
  }

  /** Creates the exception that informs a refused caller about the leader. */
  public NotLeaderException notLeader(boolean stackTrace) {
    RequestRefusals.note(election);
    return new NotLeaderException(election, id, NotLeaderException.ANY_EPOCH, stackTrace);
  }

  /** Returns the result of the rule's refusal for a skipped call. */
  @Nullable
  Object answer(String method) {
    return refusal.answer(this, method);
  }

  /** Checks the gate; true if the call is admitted and now counts as in flight. */
  boolean tryEnter() {
    ledger.enter(); // Before the permit is read: see CallLedger.
    try {
      Permit permit = election.openPermit();
      if (permit != Permit.NONE) {
        election.entered(permit.epoch);
        return true;
      }
      ledger.refuse();
      return false;
    } catch (StackOverflowError full) {
      Gate.UNREPORTED_EXITS[slot]++;
      throw full;
    }
  }

  /** Ends a call on the thread that entered it. */
  void end() {
    election.left();
    ledger.end();
  }

  /** Checks the gate for a call whose end is not tracked; counts only refusals. */
  boolean tryPass() {
    if (election.isOpen()) {
      return true;
    }
    ledger.enter();
    try {
      ledger.refuse();
    } catch (StackOverflowError full) {
      Gate.UNREPORTED_EXITS[slot]++;
      throw full;
    }
    return false;
  }

  /**
   * Handles a call after a failed {@link #tryEnter}. Returns true if the body is to be skipped,
   * which is also the case if the refusal returns no verdict.
   */
  boolean refuseEntry() {
    long sinceNanos = System.nanoTime();
    Verdict verdict;
    do {
      verdict = refusal.refuse(this, sinceNanos);
      if (verdict == RUN) {
        enterObserved();
        return false;
      }
    } while (verdict == ASK_AGAIN && !tryEnter());
    if (verdict == ASK_AGAIN) {
      return false;
    }
    RequestRefusals.note(election);
    return true;
  }

  /**
   * Handles a call after a failed {@link #tryPass}, like {@link #refuseEntry} but without counting
   * an entry.
   */
  boolean refusePass() {
    long sinceNanos = System.nanoTime();
    Verdict verdict;
    do {
      verdict = refusal.refuse(this, sinceNanos);
    } while (verdict == ASK_AGAIN && !tryPass());
    if (verdict == RUN) {
      ledger.observe();
      return false;
    }
    if (verdict == ASK_AGAIN) {
      return false;
    }
    RequestRefusals.note(election);
    return true;
  }

  /**
   * Checks a call like {@link #tryEnter} and {@link #refuseEntry}, and keeps the permit; null if
   * the body is to be skipped.
   */
  @Nullable
  AdmittedCall pass(boolean interrupt) {
    AdmittedCall admitted = tryAdmit(interrupt);
    if (admitted != null) {
      return admitted;
    }
    long sinceNanos = System.nanoTime();
    while (true) {
      Verdict verdict = refusal.refuse(this, sinceNanos);
      if (verdict == RUN) {
        AdmittedCall observed = AdmittedCall.observed(this);
        enterObserved();
        return observed;
      }
      if (verdict != ASK_AGAIN) {
        RequestRefusals.note(election);
        return null;
      }
      admitted = tryAdmit(interrupt);
      if (admitted != null) {
        return admitted;
      }
    }
  }

  private @Nullable AdmittedCall tryAdmit(boolean interrupt) {
    long losses = election.losses(); // Before the permit is read: see InterruptibleCalls.
    ledger.enter();
    try {
      Permit permit = election.openPermit();
      if (permit == Permit.NONE) {
        ledger.refuse();
        return null;
      }
      AdmittedCall admitted =
          interrupt
              ? AdmittedCall.interruptible(permit, this, losses)
              : AdmittedCall.under(permit, this);
      election.entered(permit.epoch);
      return admitted;
    } catch (VirtualMachineError | LinkageError full) {
      Gate.UNREPORTED_EXITS[slot]++;
      throw full;
    }
  }

  private void enterObserved() {
    ledger.observe();
    election.entered(EpochPins.NONE);
    ledger.enter(); // Last, because code after it could fail.
  }
}
