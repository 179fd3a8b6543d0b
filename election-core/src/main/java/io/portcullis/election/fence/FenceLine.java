package io.portcullis.election.fence;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
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
final class FenceLine {
  private static final Logger LOG = LoggerFactory.getLogger(FenceLine.class);

  /** A question without an answer for so many intervals is given up, and another may be asked. */
  private static final int MOST_INTERVALS = 4;

  /** Who stands at a fence in this node's place, and in which life of the store that was seen. */
  record Usurper(Mark by, String incarnation) {}

  private final List<EpochFence> fences;

  /** Those that came later: an election does not stand still because one of them does. */
  private final Set<EpochFence> annexes = ConcurrentHashMap.newKeySet();

  /** Of these, the ones that did not answer when last asked. */
  private final Set<EpochFence> silent = ConcurrentHashMap.newKeySet();

  private final String node;
  private final long intervalNanos;
  private final LongSupplier ticker;
  private final Runnable wake;

  private final Object lock = new Object();
  private final Turn surveys;
  private final Turn verifications;
  private long highestEpoch;
  private long spentEpoch;
  private long openedEpoch;
  private @Nullable Raising raising;

  /** What a claim, or a grant, waits for. */
  private @Nullable Inquiry awaited;

  private @Nullable Long reachedAtNanos;
  private @Nullable String trouble;
  private boolean closed;

  /**
   * Over these fences.
   *
   * @param intervalNanos for how long an answer is news
   * @param wake called when a tenure turns out to be over
   */
  FenceLine(
      Collection<? extends EpochFence> fences,
      String node,
      long intervalNanos,
      LongSupplier ticker,
      Runnable wake) {
    this.fences = new CopyOnWriteArrayList<>(fences);
    this.node = node;
    this.intervalNanos = intervalNanos;
    this.ticker = ticker;
    this.wake = wake;
    this.surveys = new Turn(MOST_INTERVALS * intervalNanos);
    this.verifications = new Turn(MOST_INTERVALS * intervalNanos);
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
    Inquiry inquiry;
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
      if (!surveys.take(began)) {
        return null;
      }
    }
    askSilent(EpochFence::read, this::seen);
    Inquiry sent = Inquiry.of(counted(), EpochFence::read);
    synchronized (lock) {
      awaited = sent;
    }
    return sent.judgedBy(this::seen, this::unheard)
        .thenApply(outcome -> note(outcome, surveys, began));
  }

  /** Those without which nothing goes on. */
  private List<EpochFence> counted() {
    return fences.stream().filter(fence -> !silent.contains(fence)).toList();
  }

  /** Asks the others too, and waits for none of them. */
  private void askSilent(
      Function<EpochFence, CompletionStage<Mark>> question,
      BiFunction<EpochFence, Mark, Outcome> judge) {
    List<EpochFence> others = List.copyOf(silent);
    if (!others.isEmpty()) {
      Inquiry.of(others, question).judgedBy(judge, this::unheard);
    }
  }

  private void unheard(EpochFence fence) {
    if (annexes.contains(fence)) {
      silent.add(fence);
    }
  }

  private Outcome seen(EpochFence fence, Mark mark) {
    silent.remove(fence);
    synchronized (lock) {
      highestEpoch = Math.max(highestEpoch, mark.epoch());
    }
    return new Outcome.Stands();
  }

  /** Brings all fences to this epoch. All who ask for the same one share one answer. */
  CompletionStage<Outcome> raise(long epoch, String incarnation) {
    Raising mine;
    Inquiry sent;
    synchronized (lock) {
      Raising present = raising;
      if (closed || epoch <= spentEpoch || (present != null && epoch < present.epoch)) {
        return CompletableFuture.completedFuture(new Outcome.Failed("it was let go of meanwhile"));
      }
      if (present != null && epoch == present.epoch && !present.lost) {
        return present.outcome;
      }
      mine = new Raising(epoch, incarnation);
      raising = mine;
      reachedAtNanos = null; // Whether they can be raised is what will show.
      askSilent(fence -> fence.install(epoch, node), (fence, mark) -> stillAt(fence, mine, mark));
      sent = Inquiry.of(counted(), fence -> fence.install(epoch, node));
      awaited = sent;
    }
    sent.judgedBy((fence, mark) -> raised(fence, mine, mark), this::unheard)
        .thenAccept(
            outcome -> {
              note(outcome);
              mine.outcome.complete(outcome);
            });
    return mine.outcome;
  }

  private Outcome raised(EpochFence fence, Raising to, Mark mark) {
    seen(fence, mark);
    if (mark.equals(new Mark(to.epoch, node))) {
      return new Outcome.Stands();
    }
    if (mark.epoch() < to.epoch) {
      return new Outcome.Failed(
          "the fence at " + fence.describe() + " was raised, yet stands at " + mark.epoch());
    }
    synchronized (lock) {
      to.usurper = mark;
    }
    return new Outcome.Outrun(fence.describe(), mark);
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
  @Nullable Usurper usurperOf(long epoch) {
    synchronized (lock) {
      return raising == null
              || raising.epoch != epoch
              || openedEpoch != epoch
              || raising.usurper == null
          ? null
          : new Usurper(raising.usurper, raising.incarnation);
    }
  }

  /** One more fence; see {@link FencedStore#add}. */
  CompletionStage<Void> add(EpochFence fence) {
    Raising present;
    Inquiry sent;
    synchronized (lock) {
      if (closed) {
        fence.close();
        return CompletableFuture.completedFuture(null);
      }
      annexes.add(fence);
      fences.add(fence);
      reachedAtNanos = null;
      present = raising;
      if (present == null || !isHeld(present.epoch)) {
        return CompletableFuture.completedFuture(null);
      }
      sent = Inquiry.of(List.of(fence), each -> each.install(present.epoch, node));
    }
    return sent.judgedBy((each, mark) -> stillAt(each, present, mark), this::unheard)
        .thenAccept(
            outcome -> {
              if (outcome instanceof Outcome.Failed failed) {
                throw new IllegalStateException(failed.why());
              }
              if (outcome instanceof Outcome.Outrun outrun) {
                throw new IllegalStateException(outrun.sentence());
              }
            });
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
    Raising present;
    synchronized (lock) {
      present = raising;
      if (present == null
          || !isOpen(present.epoch)
          || !verifications.isDue(began)
          || !verifications.take(began)) {
        return;
      }
      verifications.dueAt(began + intervalNanos);
    }
    askSilent(EpochFence::read, (fence, mark) -> verified(fence, present, mark));
    Inquiry.of(counted(), EpochFence::read)
        .judgedBy((fence, mark) -> verified(fence, present, mark), this::unheard)
        .thenAccept(outcome -> note(outcome, verifications, began));
  }

  private Outcome verified(EpochFence fence, Raising at, Mark mark) {
    if (mark.epoch() >= at.epoch) {
      return stillAt(fence, at, mark);
    }
    Inquiry sent;
    synchronized (lock) {
      if (!isHeld(at.epoch)) {
        return new Outcome.Stands(); // Of no more interest.
      }
      sent = Inquiry.of(List.of(fence), each -> each.install(at.epoch, node));
    }
    LOG.warn(
        "portcullis node={} epoch={} the fence at {} stands lower, at {}, and is raised again",
        node,
        at.epoch,
        fence.describe(),
        mark.epoch());
    sent.judgedBy((each, now) -> stillAt(each, at, now), this::unheard).thenAccept(this::note);
    return new Outcome.Stands();
  }

  /** What a fence shows after the tenure began: whoever else stands there ends it. */
  private Outcome stillAt(EpochFence fence, Raising at, Mark mark) {
    Outcome outcome = raised(fence, at, mark);
    if (outcome instanceof Outcome.Outrun outrun) {
      LOG.warn("portcullis node={} epoch={} is over: {}", node, at.epoch, outrun.sentence());
      wake.run();
    }
    return outcome;
  }

  private boolean note(Outcome outcome, Turn turn, long began) {
    synchronized (lock) {
      turn.end(began);
    }
    return note(outcome);
  }

  /** Whether all could be reached. */
  private boolean note(Outcome outcome) {
    synchronized (lock) {
      trouble = outcome instanceof Outcome.Failed failed ? failed.why() : null;
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
  }
}
