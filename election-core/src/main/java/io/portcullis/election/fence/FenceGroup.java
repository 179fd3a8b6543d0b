package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.fence.RaiseOutcome.PendingRaise;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All fences of one election. Thread-safe.
 *
 * <p>A raise is sent only under the lock under which its epoch is found unspent, so none is sent
 * after the epoch's release. A raise that is still in flight at that time does no harm: a fence
 * only rises, and the epoch opens no gate.
 */
final class FenceGroup {
  private static final Logger LOG = LoggerFactory.getLogger(FenceGroup.class);

  /**
   * Verification intervals without a response after which a request is abandoned and another may be
   * sent.
   */
  private static final int MAX_UNANSWERED_INTERVALS = 4;

  /**
   * The state that replaced this node's at a fence, and the store incarnation that granted this
   * node's epoch.
   */
  record ConflictingHolder(FenceState by, String incarnation) {}

  /** Fences of the databases that the settings name. Only these affect the election. */
  private final List<EpochFence> fences;

  private final AdditionalFences additional;
  private final String node;
  private final long intervalNanos;
  private final LongSupplier ticker;
  private final Runnable wake;

  private final Object lock = new Object();
  private final InFlightGuard surveys;
  private final InFlightGuard verifications;
  private long highestEpoch;
  private long spentEpoch;
  private long openedEpoch;
  private @Nullable PendingRaise raising;

  /** The requests that a claim or a grant waits for. */
  private @Nullable FanOut awaited;

  private @Nullable Long reachedAtNanos;
  private @Nullable String problem;
  private boolean closed;

  /**
   * Creates a group of these fences.
   *
   * @param intervalNanos how long a response counts as recent
   * @param wake called when a tenure turns out to be over
   */
  FenceGroup(
      Collection<? extends EpochFence> fences,
      String node,
      long intervalNanos,
      LongSupplier ticker,
      Runnable wake) {
    this.fences = List.copyOf(fences);
    this.additional = new AdditionalFences(node);
    this.node = node;
    this.intervalNanos = intervalNanos;
    this.ticker = ticker;
    this.wake = wake;
    this.surveys = new InFlightGuard(MAX_UNANSWERED_INTERVALS * intervalNanos);
    this.verifications = new InFlightGuard(MAX_UNANSWERED_INTERVALS * intervalNanos);
  }

  /** The highest epoch read from any fence. */
  long highestEpoch() {
    synchronized (lock) {
      return highestEpoch;
    }
  }

  /** The problem with a fence, null if none is known. */
  @Nullable String problem() {
    synchronized (lock) {
      return problem;
    }
  }

  /** The fence that a claim or a grant waits for, as text; null if none. */
  @Nullable String awaited() {
    FanOut fanOut;
    synchronized (lock) {
      fanOut = awaited;
    }
    EpochFence fence = fanOut == null ? null : fanOut.unanswered();
    return fence == null ? null : "waits for the fence at " + fence.describe();
  }

  /** True if all fences have responded within the interval. */
  boolean isFresh() {
    synchronized (lock) {
      return fences.isEmpty()
          || (reachedAtNanos != null && ticker.getAsLong() - reachedAtNanos < intervalNanos);
    }
  }

  /**
   * Reads all fences. Completes with whether all could be read; null while an earlier survey is
   * still unanswered.
   */
  @Nullable CompletionStage<Boolean> survey() {
    long began = ticker.getAsLong();
    synchronized (lock) {
      if (!surveys.tryStart(began)) {
        return null;
      }
    }
    FanOut sent = FanOut.of(fences, EpochFence::read);
    synchronized (lock) {
      awaited = sent;
    }
    return sent.combineWith(this::recordState)
        .thenApply(outcome -> recordOutcome(outcome, surveys, began));
  }

  private RaiseOutcome recordState(EpochFence fence, FenceState state) {
    synchronized (lock) {
      highestEpoch = Math.max(highestEpoch, state.epoch());
    }
    return new RaiseOutcome.Raised();
  }

  /** Raises all fences to {@code epoch}. All callers with the same epoch share one outcome. */
  CompletionStage<RaiseOutcome> raise(long epoch, String incarnation) {
    PendingRaise mine;
    FanOut sent;
    CompletionStage<Void> additionalToo = CompletableFuture.completedFuture(null);
    synchronized (lock) {
      PendingRaise current = raising;
      if (closed || epoch <= spentEpoch || (current != null && epoch < current.epoch)) {
        return CompletableFuture.completedFuture(
            new RaiseOutcome.Failed("the epoch was released meanwhile"));
      }
      if (current != null && epoch == current.epoch && !current.lost) {
        return current.outcome;
      }
      mine = new PendingRaise(epoch, incarnation);
      raising = mine;
      reachedAtNanos = null; // Unknown until the raise completes.
      sent = FanOut.of(fences, fence -> fence.install(epoch, node));
      FanOut all = sent;
      for (EpochFence each : additional.list()) {
        boolean isWaitedFor = additional.hasSucceeded(each);
        FanOut install = additional.install(each, epoch);
        if (isWaitedFor) {
          all = all.and(install);
          additionalToo = additionalToo.runAfterBoth(additional.lastInstallEnded(each), () -> {});
        }
      }
      awaited = all;
    }
    sent.combineWith((fence, state) -> recordRaise(fence, mine, state))
        .thenCombine(additionalToo, (outcome, ignored) -> outcome)
        .thenAccept(
            outcome -> {
              recordOutcome(outcome);
              mine.outcome.complete(outcome);
            });
    return mine.outcome;
  }

  private RaiseOutcome recordRaise(EpochFence fence, PendingRaise raise, FenceState state) {
    recordState(fence, state);
    RaiseOutcome outcome = RaiseOutcome.ofInstall(fence, new FenceState(raise.epoch, node), state);
    if (outcome instanceof RaiseOutcome.Superseded) {
      synchronized (lock) {
        raise.conflictingState = state;
      }
    }
    return outcome;
  }

  /** Records that a grant of this epoch is about to be returned; false if it must not be. */
  boolean open(long epoch) {
    synchronized (lock) {
      if (!isHeld(epoch)) {
        return false;
      }
      if (openedEpoch != epoch) {
        openedEpoch = epoch;
        verifications.dueAt(ticker.getAsLong() + intervalNanos);
      }
      return true;
    }
  }

  /** True if a grant of this epoch was returned, and no problem with it is known. */
  boolean isOpen(long epoch) {
    synchronized (lock) {
      return openedEpoch == epoch && isHeld(epoch);
    }
  }

  private boolean isHeld(long epoch) {
    return raising != null
        && raising.epoch == epoch
        && raising.isSound()
        && epoch > spentEpoch
        && !closed;
  }

  /**
   * Records that a release of this epoch is about to be sent: from now on nothing is raised to it.
   */
  void spend(long epoch) {
    synchronized (lock) {
      spentEpoch = Math.max(spentEpoch, epoch);
      awaited = null;
    }
  }

  /**
   * Like {@link #spend}, but only if no grant of this epoch was ever returned; false if it is not
   * ours to release.
   */
  boolean spendUnopened(long epoch) {
    synchronized (lock) {
      if (epoch <= spentEpoch || epoch <= openedEpoch) {
        return false;
      }
      spentEpoch = epoch;
      return true;
    }
  }

  /** Records that, according to the store, this node does not hold this epoch. */
  void lose(long epoch) {
    synchronized (lock) {
      if (raising != null && raising.epoch == epoch) {
        raising.lost = true;
      }
    }
  }

  /** The holder found in place of this node while it led under {@code epoch}; null if none. */
  @Nullable ConflictingHolder conflictingHolderOf(long epoch) {
    synchronized (lock) {
      return raising == null
              || raising.epoch != epoch
              || openedEpoch != epoch
              || raising.conflictingState == null
          ? null
          : new ConflictingHolder(raising.conflictingState, raising.incarnation);
    }
  }

  /** Adds a database; see {@link FencedStore#add}. */
  CompletionStage<Void> add(EpochFence fence) {
    synchronized (lock) {
      if (!closed) {
        additional.add(fence);
        if (raising != null && isHeld(raising.epoch)) {
          additional.install(fence, raising.epoch);
        }
        return additional.lastInstall(fence);
      }
    }
    fence.close();
    return CompletableFuture.completedFuture(null);
  }

  /** Closes and removes the fence of an added database. */
  void remove(EpochFence fence) {
    additional.remove(fence);
    fence.close();
  }

  /** The last installation at an added database. */
  CompletionStage<Void> lastInstall(EpochFence fence) {
    return additional.lastInstall(fence);
  }

  /** Verifies now, or as soon as the verification in progress has ended. */
  void verifySoon() {
    synchronized (lock) {
      verifications.dueAt(ticker.getAsLong());
    }
    verifyIfDue();
  }

  /** Verifies that all fences still have this node's epoch, if a verification is due. */
  void verifyIfDue() {
    long began = ticker.getAsLong();
    PendingRaise current;
    synchronized (lock) {
      current = raising;
      if (current == null
          || !isOpen(current.epoch)
          || !verifications.isDue(began)
          || !verifications.tryStart(began)) {
        return;
      }
      verifications.dueAt(began + intervalNanos);
    }
    FanOut.of(additional.list(), EpochFence::read)
        .combineWith((fence, state) -> verifyAdditional(fence, current, state));
    FanOut.of(fences, EpochFence::read)
        .combineWith((fence, state) -> verifyNamed(fence, current, state))
        .thenAccept(outcome -> recordOutcome(outcome, verifications, began));
  }

  private RaiseOutcome verifyNamed(EpochFence fence, PendingRaise at, FenceState state) {
    if (state.epoch() >= at.epoch) {
      return checkTenure(fence, at, state);
    }
    FanOut sent;
    synchronized (lock) {
      if (!isHeld(at.epoch)) {
        return new RaiseOutcome.Raised(); // No longer relevant.
      }
      sent = FanOut.of(List.of(fence), each -> each.install(at.epoch, node));
    }
    logRaisedAgain(fence, at, state);
    sent.combineWith((each, now) -> checkTenure(each, at, now)).thenAccept(this::recordOutcome);
    return new RaiseOutcome.Raised();
  }

  private RaiseOutcome verifyAdditional(EpochFence fence, PendingRaise at, FenceState state) {
    synchronized (lock) {
      if (state.epoch() >= at.epoch || !isHeld(at.epoch) || !additional.contains(fence)) {
        return new RaiseOutcome.Raised();
      }
      additional.install(fence, at.epoch);
    }
    logRaisedAgain(fence, at, state);
    return new RaiseOutcome.Raised();
  }

  private void logRaisedAgain(EpochFence fence, PendingRaise at, FenceState state) {
    LOG.warn(
        "portcullis node={} epoch={} the fence at {} has a lower epoch, {}, and is raised again",
        node,
        at.epoch,
        fence.describe(),
        state.epoch());
  }

  /**
   * Evaluates a state read after the tenure began: any other holder or higher epoch ends the
   * tenure.
   */
  private RaiseOutcome checkTenure(EpochFence fence, PendingRaise at, FenceState state) {
    RaiseOutcome outcome = recordRaise(fence, at, state);
    if (outcome instanceof RaiseOutcome.Superseded superseded) {
      LOG.warn("portcullis node={} epoch={} is over: {}", node, at.epoch, superseded.sentence());
      wake.run();
    }
    return outcome;
  }

  private boolean recordOutcome(RaiseOutcome outcome, InFlightGuard guard, long began) {
    synchronized (lock) {
      guard.end(began);
    }
    return recordOutcome(outcome);
  }

  /** Records the outcome; returns whether all fences could be reached. */
  private boolean recordOutcome(RaiseOutcome outcome) {
    synchronized (lock) {
      problem = outcome instanceof RaiseOutcome.Failed failed ? failed.why() : null;
      if (problem == null) {
        reachedAtNanos = ticker.getAsLong();
      }
      return problem == null;
    }
  }

  void close() {
    synchronized (lock) {
      closed = true;
    }
    fences.forEach(EpochFence::close);
    additional.list().forEach(EpochFence::close);
  }
}
