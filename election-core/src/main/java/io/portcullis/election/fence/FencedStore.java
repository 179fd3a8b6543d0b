package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.MemberInfo;
import io.portcullis.election.store.PreferredNode;
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store whose grants are fenced: it says {@link Granted} only while every fence stands at that
 * epoch, by this node.
 *
 * <p>Fences add no right, they only withhold one. What they take of a grant's time is lost to the
 * grant, since that counts from when the question left. What is granted and can't be fenced is
 * released again, which is safe because no gate has opened under it; an epoch that was answered
 * with a yes is never released from here.
 *
 * <p>What a fence has seen counts as seen by the claimant: so a store that forgot its epochs grants
 * above the fence, and an empty one is not taken for new. An epoch that can't be right, or that the
 * store can't grant above, is a failure of its fence instead, see {@link RangeCheckedFence}.
 */
public final class FencedStore implements LeaseStore {
  private static final Logger LOG = LoggerFactory.getLogger(FencedStore.class);

  private final LeaseStore store;
  private final String node;
  private final FenceGroup fenceGroup;
  private final long lateNanos;
  private final LongSupplier ticker;
  private final AtomicLong asked = new AtomicLong();
  private volatile Runnable wake = () -> {};

  /**
   * Owns the store and the fences from now on, and closes them.
   *
   * @param node the identity that claims, renews and releases
   * @param verifyEvery how often a leader looks whether the fences still stand, and for how long a
   *     candidate trusts that they can be reached
   */
  public FencedStore(
      LeaseStore store,
      Collection<? extends EpochFence> fences,
      String node,
      Duration verifyEvery) {
    this(store, fences, node, verifyEvery, System::nanoTime);
  }

  FencedStore(
      LeaseStore store,
      Collection<? extends EpochFence> fences,
      String node,
      Duration verifyEvery,
      LongSupplier ticker) {
    this.store = Objects.requireNonNull(store, "store");
    this.node = Objects.requireNonNull(node, "node");
    this.lateNanos = verifyEvery.toNanos();
    this.ticker = ticker;
    this.fenceGroup =
        new FenceGroup(
            fences.stream().map(this::rangeChecked).toList(),
            node,
            verifyEvery.toNanos(),
            ticker,
            () -> wake.run());
  }

  private EpochFence rangeChecked(EpochFence fence) {
    return new RangeCheckedFence(fence, this::highestEpochFromFences);
  }

  /** Half of the lead, so that a store whose clock is behind accepts the next epoch as well. */
  private long highestEpochFromFences() {
    long second = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    return Math.min(
        store.highestEpochToFollow(), EpochRange.highestAt(second) - EpochRange.MAX_LEAD / 2);
  }

  /**
   * A database beside those that the settings name. It is raised to the epoch that this node holds,
   * if it holds one, and to every later one. Its epoch neither raises this election's epochs nor
   * ends a tenure: a database that the settings do not name must not decide who leads. The database
   * itself refuses this node's writes unless it stands at this node's epoch. A grant waits until it
   * has answered, unless its last installation failed or is still under way.
   *
   * @return completes once it stands at the epoch that this node holds now, if it holds one; fails
   *     if it stands higher, or could not be raised, which is then tried again at the next
   *     verification
   */
  public CompletionStage<Void> add(EpochFence fence) {
    return fenceGroup.add(fence);
  }

  /** Closes a database that was {@linkplain #add added}, and does not raise it any more. */
  public void remove(EpochFence fence) {
    fenceGroup.remove(fence);
  }

  /** The last installation at a database that was {@linkplain #add added}, under way or over. */
  public CompletionStage<Void> lastInstall(EpochFence fence) {
    return fenceGroup.lastInstall(fence);
  }

  /**
   * Looks at once whether the fences still stand: a write was refused because one of them stands
   * below the epoch of this node. Any thread may ask, as often as it likes.
   */
  public void verifySoon() {
    fenceGroup.verifySoon();
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    long number = asked.incrementAndGet();
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquire(acquire.claim(), number);
    }
    if (request instanceof LeaseRequest.Renew renew) {
      return renew(renew);
    }
    if (request instanceof LeaseRequest.Release release) {
      fenceGroup.spend(release.epoch());
    }
    return store.ask(request);
  }

  private CompletionStage<LeaseResponse> acquire(Claim claim, long number) {
    if (fenceGroup.isFresh()) {
      return claim(claim);
    }
    CompletionStage<Boolean> reached = fenceGroup.survey();
    if (reached == null) {
      return store.ask(new LeaseRequest.Look());
    }
    long began = ticker.getAsLong();
    return reached.thenCompose(
        all -> {
          if (number != asked.get()) {
            return answered(new Unknown("the fences answered after the question was given up"));
          }
          boolean inTime = ticker.getAsLong() - began < lateNanos;
          return all && inTime ? claim(claim) : store.ask(new LeaseRequest.Look());
        });
  }

  private CompletionStage<LeaseResponse> claim(Claim claim) {
    long fenced = fenceGroup.highestEpoch();
    Claim raised =
        new Claim(
            claim.node(),
            claim.address(),
            claim.lease(),
            claim.longestLease(),
            Math.max(claim.highestEpoch(), fenced),
            claim.waitedOut(),
            claim.trustedIncarnation(),
            claim.trustsEmptyStore() && fenced == 0);
    return store
        .ask(new LeaseRequest.Acquire(raised))
        .thenCompose(answer -> answer instanceof Granted won ? fenced(won) : answered(answer));
  }

  private CompletionStage<LeaseResponse> renew(LeaseRequest.Renew renew) {
    FenceGroup.ConflictingHolder usurper = fenceGroup.conflictingHolderOf(renew.epoch());
    return usurper == null
        ? store.ask(renew).thenCompose(answer -> onRenewed(renew, answer))
        : answered(new HeldByOther(record(usurper, renew.lease())));
  }

  private CompletionStage<LeaseResponse> onRenewed(LeaseRequest.Renew renew, LeaseResponse answer) {
    if (answer instanceof Granted won) {
      // A grant whose reply was lost comes back as a renewal, and must not open unfenced.
      return fenced(won);
    }
    if (answer instanceof HeldByOther held && !held.record().isHeldBy(node, renew.epoch())) {
      fenceGroup.lose(renew.epoch());
    }
    return answered(answer);
  }

  private CompletionStage<LeaseResponse> fenced(Granted won) {
    if (fenceGroup.isOpen(won.epoch())) {
      fenceGroup.verifyIfDue();
      return answered(won);
    }
    return fenceGroup
        .raise(won.epoch(), won.incarnation())
        .thenCompose(
            outcome ->
                outcome instanceof RaiseOutcome.Raised && fenceGroup.open(won.epoch())
                    ? answered(won)
                    : letGo(won, outcome));
  }

  private CompletionStage<LeaseResponse> letGo(Granted won, RaiseOutcome outcome) {
    String why = sentence(won.epoch(), outcome);
    if (!fenceGroup.spendUnopened(won.epoch())) {
      return answered(new Unknown(why)); // Released already, or a gate may be open under it.
    }
    LOG.warn("portcullis node={} epoch={} is given back: {}", node, won.epoch(), why);
    return store
        .ask(new LeaseRequest.Release(node, won.epoch(), won.incarnation()))
        .handle((answer, failure) -> new Unknown(why));
  }

  private static String sentence(long epoch, RaiseOutcome outcome) {
    if (outcome instanceof RaiseOutcome.Superseded outrun) {
      return outrun.sentence() + ", so epoch " + epoch + " must be won again above it";
    }
    return outcome instanceof RaiseOutcome.Failed failed
        ? "epoch " + epoch + " could not be fenced: " + failed.why()
        : "epoch " + epoch + " was released while it was being fenced";
  }

  /** The holder that the fence names may lead by a store that this one has forgotten. */
  private static LeaseRecord record(FenceGroup.ConflictingHolder usurper, Duration lease) {
    FenceState by = usurper.by();
    RecordVersion stamp =
        new RecordVersion(usurper.incarnation(), by.holder(), by.epoch(), "fence");
    return new LeaseRecord(stamp, null, lease, lease, false);
  }

  private static CompletionStage<LeaseResponse> answered(LeaseResponse answer) {
    return CompletableFuture.completedFuture(answer);
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
    store.onHint(listener);
  }

  @Override
  public void onRecordPushed(Consumer<LeaseRecord> told) {
    store.onRecordPushed(told);
  }

  @Override
  public String logSuffix() {
    return store.logSuffix();
  }

  @Override
  public Map<String, Long> counts() {
    return store.counts();
  }

  @Override
  public @Nullable String degradedReason() {
    String trouble = fenceGroup.trouble();
    return trouble == null ? store.degradedReason() : trouble;
  }

  @Override
  public long highestEpochToFollow() {
    return store.highestEpochToFollow();
  }

  @Override
  public @Nullable String outage() {
    String awaited = fenceGroup.awaited();
    return awaited == null ? store.outage() : awaited;
  }

  @Override
  public List<MemberInfo> members() {
    return store.members();
  }

  @Override
  public @Nullable String objectionTo(String successor) {
    return store.objectionTo(successor);
  }

  @Override
  public @Nullable PreferredNode preferred() {
    return store.preferred();
  }

  @Override
  public void sendPriorityRequest(PriorityRequest wish) {
    store.sendPriorityRequest(wish);
  }

  @Override
  public void onPriorityRequest(Consumer<PriorityRequest> heard) {
    store.onPriorityRequest(heard);
  }

  @Override
  public void leadershipChanged(boolean now) {
    store.leadershipChanged(now);
  }

  @Override
  public void close() {
    try {
      fenceGroup.close();
    } finally {
      store.close();
    }
  }
}
