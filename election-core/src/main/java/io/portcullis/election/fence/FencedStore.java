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
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.EpochLimit;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store whose grants are fenced: it returns {@link Granted} only while every fence has that
 * epoch, with this node as its holder.
 *
 * <p>Fences add no right, they only withhold one. The time they take is lost to the grant, since a
 * grant counts from when the request was sent. A grant that can't be fenced is released again,
 * which is safe because no gate has opened under it; this class never releases an epoch that it has
 * returned as granted.
 *
 * <p>Epochs seen at a fence count as seen by the claimant: so a store that forgot its epochs grants
 * above the fence, and an empty store is not mistaken for a new one. An epoch outside the valid
 * range, or above which the store can't grant, is instead a failure of its fence; see {@link
 * RangeCheckedFence}.
 */
public final class FencedStore implements LeaseStore, HintSource, StoreDiagnostics {
  private static final Logger LOG = LoggerFactory.getLogger(FencedStore.class);

  private final LeaseStore store;
  private final String node;
  private final FenceGroup fenceGroup;
  private final long lateNanos;
  private final LongSupplier ticker;
  private final AtomicLong requests = new AtomicLong();
  private volatile Runnable wake = () -> {};

  /**
   * Creates a fenced store. It takes ownership of the store and the fences, and closes them.
   *
   * @param node the identity that claims, renews and releases
   * @param verifyEvery how often a leader verifies the fences, and how long a candidate relies on
   *     the last time all of them responded
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

  /**
   * Highest epoch to accept from a fence. Uses half of the maximum lead, so that a store whose
   * clock is behind accepts the next epoch as well.
   */
  private long highestEpochFromFences() {
    long second = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    EpochLimit limit = store.feature(EpochLimit.class);
    long highest = limit == null ? EpochRange.MAX_EPOCH - 1 : limit.highestEpochToFollow();
    return Math.min(highest, EpochRange.highestAt(second) - EpochRange.MAX_LEAD / 2);
  }

  /**
   * Adds a database that the settings do not name. It is raised to the epoch that this node holds,
   * if it holds one, and to every later one. Its epoch neither raises this election's epochs nor
   * ends a tenure: a database that the settings do not name must not decide who leads. The database
   * itself refuses this node's writes unless it has this node's epoch. A grant waits until the
   * database has responded, unless its last installation failed or is still in progress.
   *
   * @return completes once the database has the epoch that this node holds now, if it holds one;
   *     fails if the database has a higher epoch, or could not be raised, which is then retried at
   *     the next verification
   */
  public CompletionStage<Void> add(EpochFence fence) {
    return fenceGroup.add(fence);
  }

  /** Closes a database that was {@linkplain #add added}, and raises it no more. */
  public void remove(EpochFence fence) {
    fenceGroup.remove(fence);
  }

  /** The last installation at a database that was {@linkplain #add added}, in progress or ended. */
  public CompletionStage<Void> lastInstall(EpochFence fence) {
    return fenceGroup.lastInstall(fence);
  }

  /**
   * Verifies the fences now. Called when a write was refused because a fence has a lower epoch than
   * this node. Thread-safe; may be called at any rate.
   */
  public void verifySoon() {
    fenceGroup.verifySoon();
  }

  @Override
  public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
    long number = requests.incrementAndGet();
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
          if (number != requests.get()) {
            return completed(new Unknown("the fences responded after the request had timed out"));
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
        .thenCompose(
            response -> response instanceof Granted won ? fenced(won) : completed(response));
  }

  private CompletionStage<LeaseResponse> renew(LeaseRequest.Renew renew) {
    FenceGroup.ConflictingHolder conflict = fenceGroup.conflictingHolderOf(renew.epoch());
    return conflict == null
        ? store.ask(renew).thenCompose(response -> onRenewed(renew, response))
        : completed(new HeldByOther(record(conflict, renew.lease())));
  }

  private CompletionStage<LeaseResponse> onRenewed(
      LeaseRequest.Renew renew, LeaseResponse response) {
    if (response instanceof Granted won) {
      // A grant whose response was lost comes back as a renewal, and must not open the gate
      // unfenced.
      return fenced(won);
    }
    if (response instanceof HeldByOther held && !held.record().isHeldBy(node, renew.epoch())) {
      fenceGroup.lose(renew.epoch());
    }
    return completed(response);
  }

  private CompletionStage<LeaseResponse> fenced(Granted won) {
    if (fenceGroup.isOpen(won.epoch())) {
      fenceGroup.verifyIfDue();
      return completed(won);
    }
    return fenceGroup
        .raise(won.epoch(), won.incarnation())
        .thenCompose(
            outcome ->
                outcome instanceof RaiseOutcome.Raised && fenceGroup.open(won.epoch())
                    ? completed(won)
                    : giveBack(won, outcome));
  }

  private CompletionStage<LeaseResponse> giveBack(Granted won, RaiseOutcome outcome) {
    String why = sentence(won.epoch(), outcome);
    if (!fenceGroup.spendUnopened(won.epoch())) {
      return completed(new Unknown(why)); // Released already, or a gate may be open under it.
    }
    LOG.warn("portcullis node={} epoch={} is released: {}", node, won.epoch(), why);
    return store
        .ask(new LeaseRequest.Release(node, won.epoch(), won.incarnation()))
        .handle((response, failure) -> new Unknown(why));
  }

  private static String sentence(long epoch, RaiseOutcome outcome) {
    if (outcome instanceof RaiseOutcome.Superseded superseded) {
      return superseded.sentence() + ", so epoch " + epoch + " must be won again above it";
    }
    return outcome instanceof RaiseOutcome.Failed failed
        ? "epoch " + epoch + " could not be fenced: " + failed.why()
        : "epoch " + epoch + " was released while it was being fenced";
  }

  /**
   * Record of the fence's holder, which may lead by a store incarnation that this store has
   * forgotten.
   */
  private static LeaseRecord record(FenceGroup.ConflictingHolder conflict, Duration lease) {
    FenceState by = conflict.by();
    RecordVersion version =
        new RecordVersion(conflict.incarnation(), by.holder(), by.epoch(), "fence");
    return new LeaseRecord(version, null, lease, lease, false);
  }

  private static CompletionStage<LeaseResponse> completed(LeaseResponse response) {
    return CompletableFuture.completedFuture(response);
  }

  @Override
  public <T> @Nullable T feature(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : store.feature(type);
  }

  @Override
  public void onHint(Runnable listener) {
    wake = listener;
    HintSource hints = store.feature(HintSource.class);
    if (hints != null) {
      hints.onHint(listener);
    }
  }

  @Override
  public @Nullable String degradedReason() {
    String problem = fenceGroup.problem();
    StoreDiagnostics diagnostics = store.feature(StoreDiagnostics.class);
    return problem == null && diagnostics != null ? diagnostics.degradedReason() : problem;
  }

  @Override
  public @Nullable String outage() {
    String awaited = fenceGroup.awaited();
    StoreDiagnostics diagnostics = store.feature(StoreDiagnostics.class);
    return awaited == null && diagnostics != null ? diagnostics.outage() : awaited;
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
