package io.portcullis.gate;

import io.portcullis.gate.Refusal.Verdict;

/**
 * Where the calls of one rule meet the gate of its election: asks the gate, keeps the books, hands
 * refused calls to the rule's refusal.
 */
public final class Checkpoint {
  /**
   * Constants here, so that the type is loaded before the first refusal: HotSpot inlines no method
   * whose return type is not, and a refusal that always throws never needs it otherwise.
   */
  private static final Verdict RUN = Verdict.RUN;

  private static final Verdict ASK_AGAIN = Verdict.ASK_AGAIN;

  final CallLedger ledger;

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

  /** The number by which woven code names this checkpoint to {@link Gate}. */
  public int slot() {
    return slot;
  }

  /** The id of the rule. */
  public String id() {
    return id;
  }

  /** The gate that decides. */
  public ElectionGate election() {
    return election;
  }

  /** Changes what happens to calls refused from now on. */
  public void refuseWith(Refusal newRefusal) {
    refusal = newRefusal;
  }

  /**
   * Calls that have ended, normally or not, those that were only observed included. A call that
   * answers by a future ends when that is done.
   */
  public long passed() {
    return ledger.ended();
  }

  /** How often a call found the gate shut, whatever the refusal then did with it. */
  public long blocked() {
    return ledger.refused();
  }

  /** Calls whose body runs or whose future is not done, and calls still being judged. */
  public long callsInFlight() {
    return ledger.inFlight();
  }

  /** The exception that tells a refused caller who leads. */
  public NotLeaderException notLeader(boolean stackTrace) {
    return new NotLeaderException(election, id, NotLeaderException.ANY_EPOCH, stackTrace);
  }

  /** What the rule's refusal answers for a call that it has skipped. */
  @Nullable
  Object answer(String method) {
    return refusal.answer(this, method);
  }

  /** Asks the gate; true if the call is let in and now counts as in flight. */
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

  /** A call ends on the thread that entered it, and so is not in flight any more. */
  void end() {
    election.left();
    ledger.end();
  }

  /** Asks the gate for a call whose end nobody will see; only refusals go into the books. */
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
   * After a failed {@link #tryEnter}: true if the body is to be skipped, which is also how a
   * refusal without an answer is taken.
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
    return verdict != ASK_AGAIN;
  }

  /** After a failed {@link #tryPass}: the same, with nothing to enter in the books. */
  boolean refusePass() {
    long sinceNanos = System.nanoTime();
    Verdict verdict;
    do {
      verdict = refusal.refuse(this, sinceNanos);
    } while (verdict == ASK_AGAIN && !tryPass());
    return verdict != ASK_AGAIN && verdict != RUN;
  }

  /**
   * Judges a call as {@link #tryEnter} and {@link #refuseEntry} do, and remembers the permit; null
   * if the body is to be skipped.
   */
  @Nullable
  AdmittedCall pass(boolean interrupt) {
    AdmittedCall passage = tryAdmit(interrupt);
    if (passage != null) {
      return passage;
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
        return null;
      }
      passage = tryAdmit(interrupt);
      if (passage != null) {
        return passage;
      }
    }
  }

  private @Nullable AdmittedCall tryAdmit(boolean interrupt) {
    long losses = election.losses(); // Before the permit is read: see InsideThread.
    ledger.enter();
    try {
      Permit permit = election.openPermit();
      if (permit == Permit.NONE) {
        ledger.refuse();
        return null;
      }
      AdmittedCall passage =
          interrupt
              ? AdmittedCall.interruptible(permit, this, losses)
              : AdmittedCall.under(permit, this);
      election.entered(permit.epoch);
      return passage;
    } catch (VirtualMachineError | LinkageError full) {
      Gate.UNREPORTED_EXITS[slot]++;
      throw full;
    }
  }

  private void enterObserved() {
    election.entered(EpochPins.NONE);
    ledger.enter(); // Last: what comes after it may fail.
  }
}
