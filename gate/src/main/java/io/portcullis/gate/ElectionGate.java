package io.portcullis.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The gate of one election: open while this node may act, shut at all other times.
 *
 * <p>It starts shut, and shuts by itself when the deadline it was last opened with has passed:
 * every question reads the clock, so nothing has to run for that.
 *
 * <p>One thread, the election's, opens it. Any thread may shut it, report leaders or ask; but a
 * {@link #shut} that races with an {@link #open} may come first.
 */
public final class ElectionGate {
  private final String name;
  private final List<Checkpoint> checkpoints = new CopyOnWriteArrayList<>();

  private final GateWaiters waiters = new GateWaiters();

  /** Set before any call can come, if at all; null where no fence asks for the epochs of calls. */
  private @Nullable EpochPins pins;

  /** How often calls in flight have lost their right. */
  private final AtomicLong losses = new AtomicLong();

  private volatile Permit permit = Permit.NONE;

  /** Read by any thread; written under this object's lock, since news may come from several. */
  private volatile LeaderInfo leaderInfo = LeaderInfo.NOBODY;

  ElectionGate(String name) {
    this.name = name;
  }

  /**
   * A gate that belongs to no election and that {@link Leadership} does not know: for trying out
   * whether woven code asks at all.
   */
  public static ElectionGate forTrial(String name) {
    return new ElectionGate(name);
  }

  /** The election's name. */
  public String name() {
    return name;
  }

  /**
   * Opens the gate, or keeps it open for longer.
   *
   * @param deadlineNanos on the clock of {@link System#nanoTime()}
   * @throws AssertionError if a higher epoch has been seen: the caller's right is a thing of the
   *     past, so the gate is shut first
   */
  public void open(long epoch, long deadlineNanos) {
    LeaderInfo seen = raiseTo(epoch);
    if (epoch < seen.epoch) {
      shut();
      abandonCalls();
      throw new AssertionError(
          "Gate of election '%s' told to open under epoch %d after epoch %d was seen; it is shut."
              .formatted(name, epoch, seen.epoch));
    }
    permit = new Permit(epoch, deadlineNanos);
    waiters.wakeAll();
  }

  /**
   * Shuts the gate. Calls that have already passed go on: see {@link #callsInFlight()} and {@link
   * #abandonCalls()}.
   */
  public void shut() {
    Permit ended = permit;
    permit = Permit.NONE;
    if (ended != Permit.NONE) {
      forgetLeaderOf(ended.epoch);
    }
  }

  /**
   * Tells that calls in flight have lost the right under which they entered, or are about to: the
   * gate is shut, and nobody waits for them any more. Threads within calls of rules that want it
   * are interrupted, on a thread of their own: an interrupt may close a channel of the
   * application's, which may take its time. Does nothing to calls under an epoch that is open.
   */
  public void abandonCalls() {
    losses.incrementAndGet();
    if (!InterruptibleCalls.isAnyInside()) {
      return;
    }
    Runnable tell = () -> InterruptibleCalls.interruptAllOf(this);
    try {
      GateThreads.unstarted("portcullis-interrupt-" + name, tell).start();
    } catch (OutOfMemoryError noThreadToBeHad) {
      tell.run();
    }
  }

  /**
   * Waits until a call may pass, at most so long.
   *
   * @return whether one may; false also if this gate will not open any more
   */
  public boolean awaitOpen(long nanos) throws InterruptedException {
    return waiters.awaitOpen(this, nanos);
  }

  /** Nobody is to wait for this gate from now on: the JVM ends. */
  public void endWaiting() {
    waiters.close();
  }

  /**
   * Reports who leads and where, which is what refused callers are told. News of an epoch lower
   * than the highest seen is old and changes nothing. News of an epoch higher than the one the gate
   * is open under is a surprise: the gate shuts.
   */
  public void leaderSeen(String leader, @Nullable String address, long epoch) {
    if (noteLeader(leader, address, epoch)) {
      abandonCalls();
    }
  }

  /** Whether the gate was shut by the news. */
  private synchronized boolean noteLeader(String leader, @Nullable String address, long epoch) {
    Permit standing = permit;
    boolean surprise = standing != Permit.NONE && epoch > standing.epoch;
    if (surprise) {
      permit = Permit.NONE;
    }
    if (epoch >= leaderInfo.epoch) {
      leaderInfo = new LeaderInfo(epoch, leader, address);
    }
    return surprise;
  }

  /** Whether a call that asks now may pass. */
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
   * Has the epoch of each thread's outermost gated call remembered until that call ends; see {@link
   * #pinnedEpoch()}. To be called before any class is woven.
   */
  public void pinCalls() {
    pins = new EpochPins();
  }

  /**
   * The epoch under which the calling thread entered the outermost gated call that it is in, 0 if
   * it is in none or {@link #pinCalls()} was never called. It stays what it is when leadership is
   * lost, or won again, meanwhile.
   */
  public long pinnedEpoch() {
    EpochPins kept = pins;
    return kept == null ? EpochPins.NONE : kept.epoch();
  }

  /**
   * What to tell a caller whose write was refused by a database.
   *
   * @param fence the id of the fence
   * @param requiredEpoch under which it was to be written, 0 if under none
   */
  public NotLeaderException refusedBy(String fence, long requiredEpoch) {
    long required = requiredEpoch > 0 ? requiredEpoch : NotLeaderException.ANY_EPOCH;
    return NotLeaderException.byFence(this, fence, required);
  }

  /** How long the gate stays open unless it is opened again; 0 if it is shut. */
  public long leaseRemainingNanos() {
    Permit standing = permit;
    return standing == Permit.NONE ? 0 : Math.max(0, standing.deadlineNanos - System.nanoTime());
  }

  /** The leader last seen, or null if the highest epoch seen has none known. */
  public @Nullable String leader() {
    return leaderInfo().leader;
  }

  /** Where the leader last seen is to be found, or null if that is unknown. */
  public @Nullable String leaderAddress() {
    return leaderInfo().address;
  }

  /**
   * How many calls are between {@link Gate#enter} and {@link Gate#exit}, over all checkpoints of
   * this election.
   *
   * <p>After {@link #shut}, a zero means that no call let in before is still running, and that the
   * futures which such calls returned are done, as far as {@link Gate#exitWhenDone} saw them. Why,
   * and why the gate must be shut first, is told at {@link CallLedger}.
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

  /** The permit if the gate is open now, else {@link Permit#NONE}: one volatile read, one clock. */
  Permit openPermit() {
    Permit standing = permit;
    return standing != Permit.NONE && standing.admitsAt(System.nanoTime()) ? standing : Permit.NONE;
  }

  /** Whether a call that entered under this epoch would be let in under the same one now. */
  boolean isOpenUnder(long epoch) {
    Permit open = openPermit();
    return open != Permit.NONE && open.epoch == epoch;
  }

  /** The calling thread begins a call, under this epoch. */
  void entered(long epoch) {
    EpochPins kept = pins;
    if (kept != null) {
      kept.enter(epoch);
    }
  }

  /** The calling thread leaves a call that it {@link #entered}. */
  void left() {
    EpochPins kept = pins;
    if (kept != null) {
      kept.leave();
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

  /** What to tell others: never that this node leads by a permit whose time is over. */
  LeaderInfo leaderInfo() {
    LeaderInfo seen = leaderInfo;
    Permit standing = permit;
    boolean lapsed =
        standing != Permit.NONE
            && standing.epoch == seen.epoch
            && !standing.admitsAt(System.nanoTime());
    return lapsed ? seen.withoutLeader() : seen;
  }

  void add(Checkpoint checkpoint) {
    checkpoints.add(checkpoint);
  }

  /**
   * The highest epoch that a gate has heard of, and who was seen to lead under it, if anyone was.
   */
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
