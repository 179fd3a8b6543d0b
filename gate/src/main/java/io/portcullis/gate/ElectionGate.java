package io.portcullis.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The gate of one election: open while this node may act, shut at all other times.
 *
 * <p>It starts shut, and shuts by itself when the deadline it was last opened with has passed:
 * every check reads the clock, so no thread has to run for that.
 *
 * <p>Only the election's thread opens it. Any thread may shut it, report leaders or check it; but a
 * {@link #shut} that races with an {@link #open} may come first.
 */
public final class ElectionGate {
  private final String name;
  private final List<Checkpoint> checkpoints = new CopyOnWriteArrayList<>();

  private final GateWaiters waiters = new GateWaiters();

  /** Set before the first call, if at all; null if no fence uses the epochs of calls. */
  private @Nullable EpochPins pins;

  /** Number of times that calls in flight have lost their right. */
  private final AtomicLong losses = new AtomicLong();

  private volatile Permit permit = Permit.NONE;

  /**
   * Read by any thread; written under this object's lock, since reports may come from several
   * threads.
   */
  private volatile LeaderInfo leaderInfo = LeaderInfo.NOBODY;

  ElectionGate(String name) {
    this.name = name;
  }

  /**
   * Creates a gate that belongs to no election and that {@link Leadership} does not know, to test
   * whether woven code calls the gate.
   */
  public static ElectionGate forTrial(String name) {
    return new ElectionGate(name);
  }

  public String name() {
    return name;
  }

  /**
   * Opens the gate, or extends its deadline.
   *
   * @param deadlineNanos on the clock of {@link System#nanoTime()}
   * @throws AssertionError if a higher epoch has been seen: the caller's right is outdated, so the
   *     gate is shut first
   */
  public void open(long epoch, long deadlineNanos) {
    LeaderInfo seen = raiseTo(epoch);
    if (epoch < seen.epoch) {
      shut();
      abandonCalls();
      throw new AssertionError(
          "Gate of election '%s' opened under epoch %d after epoch %d was seen; it is shut."
              .formatted(name, epoch, seen.epoch));
    }
    permit = new Permit(epoch, deadlineNanos);
    waiters.wakeAll();
  }

  /**
   * Shuts the gate. Calls that have already passed continue: see {@link #callsInFlight()} and
   * {@link #abandonCalls()}.
   */
  public void shut() {
    Permit ended = permit;
    permit = Permit.NONE;
    if (ended != Permit.NONE) {
      forgetLeaderOf(ended.epoch);
    }
  }

  /**
   * Reports that calls in flight have lost the right under which they entered, or are about to: the
   * gate is shut, and the drain no longer waits for them. Threads in calls of rules with {@code
   * interrupt} are interrupted, on a separate thread: an interrupt may close a channel of the
   * application, which may take time. Does not affect calls under an epoch that is open.
   */
  public void abandonCalls() {
    losses.incrementAndGet();
    if (!InterruptibleCalls.isAnyInside()) {
      return;
    }
    Runnable interrupts = () -> InterruptibleCalls.interruptAllOf(this);
    try {
      GateThreads.unstarted("portcullis-interrupt-" + name, interrupts).start();
    } catch (OutOfMemoryError noThread) {
      interrupts.run();
    }
  }

  /**
   * Waits until a call may pass, for at most {@code nanos}.
   *
   * @return whether a call may pass; false also if this gate will not open any more
   */
  public boolean awaitOpen(long nanos) throws InterruptedException {
    return waiters.awaitOpen(this, nanos);
  }

  /** Ends all waiting for this gate, now and later, because the JVM shuts down. */
  public void endWaiting() {
    waiters.close();
  }

  /**
   * Reports the leader and its address, which are shown to refused callers. A report with an epoch
   * lower than the highest seen is outdated and changes nothing. A report with an epoch higher than
   * the one under which the gate is open is unexpected: the gate shuts.
   */
  public void leaderSeen(String leader, @Nullable String address, long epoch) {
    if (noteLeader(leader, address, epoch)) {
      abandonCalls();
    }
  }

  /** Records the leader; returns whether this shut the gate. */
  private synchronized boolean noteLeader(String leader, @Nullable String address, long epoch) {
    Permit current = permit;
    boolean isNewer = current != Permit.NONE && epoch > current.epoch;
    if (isNewer) {
      permit = Permit.NONE;
    }
    if (epoch >= leaderInfo.epoch) {
      leaderInfo = new LeaderInfo(epoch, leader, address);
    }
    return isNewer;
  }

  /** Whether a call may pass now. */
  public boolean isOpen() {
    return openPermit() != Permit.NONE;
  }

  /** The epoch under which the gate is open, else the highest seen; 0 if none was. */
  public long epoch() {
    Permit open = openPermit();
    return open == Permit.NONE ? leaderInfo.epoch : open.epoch;
  }

  /** The epoch under which the gate is open now, 0 if it is shut. */
  public long openEpoch() {
    return openPermit().epoch;
  }

  /**
   * Enables recording the epoch of each thread's outermost gated call until that call ends; see
   * {@link #pinnedEpoch()}. Must be called before any class is woven.
   */
  public void pinCalls() {
    pins = new EpochPins();
  }

  /**
   * The epoch under which the calling thread entered the outermost gated call that it is in, 0 if
   * it is in none or {@link #pinCalls()} was never called. It does not change when leadership is
   * lost, or won again, meanwhile.
   */
  public long pinnedEpoch() {
    EpochPins current = pins;
    return current == null ? EpochPins.NONE : current.epoch();
  }

  /**
   * Creates the exception for a caller whose write was refused by a database.
   *
   * @param fence the id of the fence
   * @param requiredEpoch the epoch under which the write was sent, 0 if none
   */
  public NotLeaderException refusedBy(String fence, long requiredEpoch) {
    RequestRefusals.note(this);
    long required = requiredEpoch > 0 ? requiredEpoch : NotLeaderException.ANY_EPOCH;
    return NotLeaderException.byFence(this, fence, required);
  }

  /** Creates the exception for a client whose request has failed because of a refused call. */
  NotLeaderException notLeader() {
    return new NotLeaderException(this, null, NotLeaderException.ANY_EPOCH, false);
  }

  /** How long the gate stays open unless its deadline is extended; 0 if it is shut. */
  public long leaseRemainingNanos() {
    Permit current = permit;
    return current == Permit.NONE ? 0 : Math.max(0, current.deadlineNanos - System.nanoTime());
  }

  /** The leader last seen, or null if the highest epoch seen has none known. */
  public @Nullable String leader() {
    return leaderInfo().leader;
  }

  /** Address of the leader last seen, or null if unknown. */
  public @Nullable String leaderAddress() {
    return leaderInfo().address;
  }

  /**
   * Number of calls between {@link Gate#enter} and {@link Gate#exit}, over all checkpoints of this
   * election.
   *
   * <p>After {@link #shut}, a zero proves that no call admitted before is still running, and that
   * the futures which such calls returned are done, as far as {@link Gate#exitWhenDone} received
   * them. {@link CallLedger} explains why, and why the gate must be shut first.
   */
  public long callsInFlight() {
    long left = 0;
    for (Checkpoint checkpoint : checkpoints) {
      left += checkpoint.ledger.left();
    }
    long entered = 0;
    for (Checkpoint checkpoint : checkpoints) {
      entered += checkpoint.ledger.entered();
    }
    return entered - left;
  }

  /**
   * The permit if the gate is open now, else {@link Permit#NONE}. Costs one volatile read and one
   * clock read.
   */
  Permit openPermit() {
    Permit current = permit;
    return current != Permit.NONE && current.admitsAt(System.nanoTime()) ? current : Permit.NONE;
  }

  /** Whether a call that entered under this epoch would be admitted under the same one now. */
  boolean isOpenUnder(long epoch) {
    Permit open = openPermit();
    return open != Permit.NONE && open.epoch == epoch;
  }

  /** Records that the calling thread starts a call under this epoch. */
  void entered(long epoch) {
    EpochPins current = pins;
    if (current != null) {
      current.enter(epoch);
    }
  }

  /** Records that the calling thread leaves a call that it {@link #entered}. */
  void left() {
    EpochPins current = pins;
    if (current != null) {
      current.leave();
    }
  }

  long losses() {
    return losses.get();
  }

  private synchronized LeaderInfo raiseTo(long epoch) {
    if (epoch > leaderInfo.epoch) {
      leaderInfo = new LeaderInfo(epoch, null, null);
    }
    return leaderInfo;
  }

  private synchronized void forgetLeaderOf(long epoch) {
    if (leaderInfo.epoch == epoch) {
      leaderInfo = leaderInfo.withoutLeader();
    }
  }

  /** The leader to report: never this node under a permit that has expired. */
  LeaderInfo leaderInfo() {
    LeaderInfo seen = leaderInfo;
    Permit current = permit;
    boolean lapsed =
        current != Permit.NONE
            && current.epoch == seen.epoch
            && !current.admitsAt(System.nanoTime());
    return lapsed ? seen.withoutLeader() : seen;
  }

  void add(Checkpoint checkpoint) {
    checkpoints.add(checkpoint);
  }

  /** The highest epoch seen by a gate, and the leader seen under it, if any. */
  static final class LeaderInfo {
    static final LeaderInfo NOBODY = new LeaderInfo(0, null, null);

    final long epoch;
    final @Nullable String leader;
    final @Nullable String address;

    LeaderInfo(long epoch, @Nullable String leader, @Nullable String address) {
      this.epoch = epoch;
      this.leader = leader;
      this.address = address;
    }

    LeaderInfo withoutLeader() {
      return leader == null ? this : new LeaderInfo(epoch, null, null);
    }
  }
}
