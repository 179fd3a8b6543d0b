package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All fences of one election, as one. Any thread may ask.
 *
 * <p>A raise is sent only under the lock under which its epoch is found unspent, so none is sent
 * after the epoch's release. One that is still under way then does no harm: a fence only rises, and
 * the epoch opens no gate.
 */
final class FenceGroup {
  private static final Logger LOG = LoggerFactory.getLogger(FenceGroup.class);

  /** A question without an answer for so many intervals is given up, and another may be asked. */
  private static final int MAX_UNANSWERED_INTERVALS = 4;

  /** Who stands at a fence in this node's place, and in which life of the store that was seen. */
  record ConflictingHolder(FenceState by, String incarnation) {}

  /** The databases that the settings name. Only these decide anything about the election. */
  private final List<EpochFence> fences;

  private final AdditionalFences joined;
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

  /** What a claim, or a grant, waits for. */
  private @Nullable FanOut awaited;

  private @Nullable Long reachedAtNanos;
  private @Nullable String trouble;
  private boolean closed;

  /**
   * Over these fences.
   *
   * @param intervalNanos for how long an answer is news
   * @param wake called when a tenure turns out to be over
   */
  FenceGroup(
      Collection<? extends EpochFence> fences,
      String node,
      long intervalNanos,
      LongSupplier ticker,
      Runnable wake) {
    this.fences = List.copyOf(fences);
    this.joined = new AdditionalFences(node);
    this.node = node;
    this.intervalNanos = intervalNanos;
    this.ticker = ticker;
    this.wake = wake;
    this.surveys = new InFlightGuard(MAX_UNANSWERED_INTERVALS * intervalNanos);
    this.verifications = new InFlightGuard(MAX_UNANSWERED_INTERVALS * intervalNanos);
  }

  /** The highest epoch that any fence was seen to stand at. */
  long highestEpoch() {
    synchronized (lock) {
      return highestEpoch;
    }
  }

  /** What is wrong with a fence, null if nothing is known to be. */
  @Nullable String trouble() {
    synchronized (lock) {
      return trouble;
    }
  }

  /** What keeps a claim or a grant waiting, null if nothing does. */
  @Nullable String awaited() {
    FanOut inquiry;
    synchronized (lock) {
      inquiry = awaited;
    }
    EpochFence fence = inquiry == null ? null : inquiry.unanswered();
    return fence == null ? null : "waits for the fence at " + fence.describe();
  }

  /** True if all fences have lately answered. */
  boolean isFresh() {
    synchronized (lock) {
      return fences.isEmpty()
          || (reachedAtNanos != null && ticker.getAsLong() - reachedAtNanos < intervalNanos);
    }
  }

  /**
   * Reads all fences; answered by whether all could be read. Null while an earlier survey is still
   * without an answer.
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
    return sent.combineWith(this::seen).thenApply(outcome -> note(outcome, surveys, began));
  }

  private RaiseOutcome seen(EpochFence fence, FenceState mark) {
    synchronized (lock) {
      highestEpoch = Math.max(highestEpoch, mark.epoch());
    }
    return new RaiseOutcome.Raised();
  }

  /** Brings all fences to this epoch. All who ask for the same one share one answer. */
  CompletionStage<RaiseOutcome> raise(long epoch, String incarnation) {
    PendingRaise mine;
    FanOut sent;
    CompletionStage<Void> joinedToo = CompletableFuture.completedFuture(null);
    synchronized (lock) {
      PendingRaise present = raising;
      if (closed || epoch <= spentEpoch || (present != null && epoch < present.epoch)) {
        return CompletableFuture.completedFuture(
            new RaiseOutcome.Failed("it was let go of meanwhile"));
      }
      if (present != null && epoch == present.epoch && !present.lost) {
        return present.outcome;
      }
      mine = new PendingRaise(epoch, incarnation);
      raising = mine;
      reachedAtNanos = null; // Whether they can be raised is what will show.
      sent = FanOut.of(fences, fence -> fence.install(epoch, node));
      FanOut all = sent;
      for (EpochFence each : joined.list()) {
        boolean isWaitedFor = joined.hasSucceeded(each);
        FanOut install = joined.install(each, epoch);
        if (isWaitedFor) {
          all = all.and(install);
          joinedToo = joinedToo.runAfterBoth(joined.answered(each), () -> {});
        }
      }
      awaited = all;
    }
    sent.combineWith((fence, mark) -> raised(fence, mine, mark))
        .thenCombine(joinedToo, (outcome, none) -> outcome)
        .thenAccept(
            outcome -> {
              note(outcome);
              mine.outcome.complete(outcome);
            });
    return mine.outcome;
  }

  private RaiseOutcome raised(EpochFence fence, PendingRaise to, FenceState mark) {
    seen(fence, mark);
    RaiseOutcome outcome = RaiseOutcome.ofInstall(fence, new FenceState(to.epoch, node), mark);
    if (outcome instanceof RaiseOutcome.Superseded) {
      synchronized (lock) {
        to.conflictingState = mark;
      }
    }
    return outcome;
  }

  /** Notes that a yes under this epoch is about to be answered; false if it must not be. */
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

  /** True if a yes under this epoch was answered, and nothing is known to be wrong with it. */
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

  /** A release of this epoch is about to be sent: nothing is raised to it any more. */
  void spend(long epoch) {
    synchronized (lock) {
      spentEpoch = Math.max(spentEpoch, epoch);
      awaited = null;
    }
  }

  /** The same, only if no yes was ever answered under it; false if it is not ours to release. */
  boolean spendUnopened(long epoch) {
    synchronized (lock) {
      if (epoch <= spentEpoch || epoch <= openedEpoch) {
        return false;
      }
      spentEpoch = epoch;
      return true;
    }
  }

  /** The store shows that this epoch is another's, or nobody's. */
  void lose(long epoch) {
    synchronized (lock) {
      if (raising != null && raising.epoch == epoch) {
        raising.lost = true;
      }
    }
  }

  /** Who was found in place of this node while it led under {@code epoch}; null if nobody was. */
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

  /** One more database; see {@link FencedStore#add}. */
  CompletionStage<Void> add(EpochFence fence) {
    synchronized (lock) {
      if (!closed) {
        joined.add(fence);
        if (raising != null && isHeld(raising.epoch)) {
          joined.install(fence, raising.epoch);
        }
        return joined.lastInstall(fence);
      }
    }
    fence.close();
    return CompletableFuture.completedFuture(null);
  }

  /** Closes a database that was added, and forgets it. */
  void remove(EpochFence fence) {
    joined.remove(fence);
    fence.close();
  }

  /** The last installation at a database that was added. */
  CompletionStage<Void> lastInstall(EpochFence fence) {
    return joined.lastInstall(fence);
  }

  /** Looks at once, or as soon as the look that is under way is over. */
  void verifySoon() {
    synchronized (lock) {
      verifications.dueAt(ticker.getAsLong());
    }
    verifyIfDue();
  }

  /** Looks whether all fences still stand, if that was not done for a while. */
  void verifyIfDue() {
    long began = ticker.getAsLong();
    PendingRaise present;
    synchronized (lock) {
      present = raising;
      if (present == null
          || !isOpen(present.epoch)
          || !verifications.isDue(began)
          || !verifications.tryStart(began)) {
        return;
      }
      verifications.dueAt(began + intervalNanos);
    }
    FanOut.of(joined.list(), EpochFence::read)
        .combineWith((fence, mark) -> verifiedJoined(fence, present, mark));
    FanOut.of(fences, EpochFence::read)
        .combineWith((fence, mark) -> verified(fence, present, mark))
        .thenAccept(outcome -> note(outcome, verifications, began));
  }

  private RaiseOutcome verified(EpochFence fence, PendingRaise at, FenceState mark) {
    if (mark.epoch() >= at.epoch) {
      return stillAt(fence, at, mark);
    }
    FanOut sent;
    synchronized (lock) {
      if (!isHeld(at.epoch)) {
        return new RaiseOutcome.Raised(); // Of no more interest.
      }
      sent = FanOut.of(List.of(fence), each -> each.install(at.epoch, node));
    }
    logRaisedAgain(fence, at, mark);
    sent.combineWith((each, now) -> stillAt(each, at, now)).thenAccept(this::note);
    return new RaiseOutcome.Raised();
  }

  private RaiseOutcome verifiedJoined(EpochFence fence, PendingRaise at, FenceState mark) {
    synchronized (lock) {
      if (mark.epoch() >= at.epoch || !isHeld(at.epoch) || !joined.contains(fence)) {
        return new RaiseOutcome.Raised();
      }
      joined.install(fence, at.epoch);
    }
    logRaisedAgain(fence, at, mark);
    return new RaiseOutcome.Raised();
  }

  private void logRaisedAgain(EpochFence fence, PendingRaise at, FenceState mark) {
    LOG.warn(
        "portcullis node={} epoch={} the fence at {} stands lower, at {}, and is raised again",
        node,
        at.epoch,
        fence.describe(),
        mark.epoch());
  }

  /** What a fence shows after the tenure began: whoever else stands there ends it. */
  private RaiseOutcome stillAt(EpochFence fence, PendingRaise at, FenceState mark) {
    RaiseOutcome outcome = raised(fence, at, mark);
    if (outcome instanceof RaiseOutcome.Superseded outrun) {
      LOG.warn("portcullis node={} epoch={} is over: {}", node, at.epoch, outrun.sentence());
      wake.run();
    }
    return outcome;
  }

  private boolean note(RaiseOutcome outcome, InFlightGuard turn, long began) {
    synchronized (lock) {
      turn.end(began);
    }
    return note(outcome);
  }

  /** Whether all could be reached. */
  private boolean note(RaiseOutcome outcome) {
    synchronized (lock) {
      trouble = outcome instanceof RaiseOutcome.Failed failed ? failed.why() : null;
      if (trouble == null) {
        reachedAtNanos = ticker.getAsLong();
      }
      return trouble == null;
    }
  }

  void close() {
    synchronized (lock) {
      closed = true;
    }
    fences.forEach(EpochFence::close);
    joined.list().forEach(EpochFence::close);
  }
}
