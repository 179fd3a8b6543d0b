package io.portcullis.election.inprocess;

import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import io.portcullis.election.store.StoreFeatures.PriorityRequestChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lease of one election among nodes of one process: for trying the library out, and for an
 * application's own tests. Create one per election. It keeps all promises of a {@link LeaseStore},
 * except that it does not outlive the process.
 */
public final class InProcessLease {
  private static final String INCARNATION = "in-process";

  private final InstantSource wallClock = InstantSource.system();
  private final List<Connection> waiting = new CopyOnWriteArrayList<>();
  private @Nullable LeaseRecord current;
  private long versions;

  /** Creates a store for one node. Closing it does not affect the lease. */
  public LeaseStore connect() {
    return new Connection();
  }

  private synchronized LeaseResponse serve(LeaseRequest request, Connection sender) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      return acquire(acquire.claim());
    }
    if (request instanceof LeaseRequest.Renew renew) {
      return renew(renew);
    }
    if (request instanceof LeaseRequest.Release release) {
      release(release, sender);
    }
    return new HeldByOther(shown());
  }

  private LeaseResponse acquire(Claim claim) {
    LeaseRecord shown = shown();
    long second = wallClock.millis() / 1000;
    if (shown.isNone()) {
      current = claim.initialRecord(INCARNATION, nextVersion(), second);
    } else if (claim.mayTake(shown)) {
      long epoch = claim.nextEpoch(shown, true, second);
      current = record(claim.node(), epoch, claim.address(), claim.lease(), false);
      return new Granted(epoch, INCARNATION);
    }
    return new HeldByOther(shown());
  }

  private LeaseResponse renew(LeaseRequest.Renew renew) {
    if (!shown().isHeldBy(renew.node(), renew.epoch())) {
      return new HeldByOther(shown());
    }
    current = record(renew.node(), renew.epoch(), renew.address(), renew.lease(), false);
    return new Granted(renew.epoch(), INCARNATION);
  }

  private void release(LeaseRequest.Release release, Connection sender) {
    LeaseRecord shown = shown();
    if (shown.isHeldBy(release.node(), release.epoch())
        && INCARNATION.equals(release.incarnation())) {
      current = record(release.node(), release.epoch(), shown.address(), shown.lease(), true);
      wakeOthers(sender);
    }
  }

  private void wakeOthers(Connection sender) {
    for (Connection each : waiting) {
      if (each != sender) {
        each.wake.run();
      }
    }
  }

  private void sendToOthers(PriorityRequest request, Connection sender) {
    for (Connection each : waiting) {
      if (each != sender) {
        each.listener.accept(request);
      }
    }
  }

  private LeaseRecord record(
      String node, long epoch, @Nullable String address, Duration lease, boolean released) {
    RecordVersion version = new RecordVersion(INCARNATION, node, epoch, nextVersion());
    return new LeaseRecord(version, address, lease, lease, released);
  }

  private LeaseRecord shown() {
    return current == null ? LeaseRecord.none(INCARNATION) : current;
  }

  private String nextVersion() {
    versions++;
    return Long.toString(versions);
  }

  private final class Connection implements LeaseStore, HintSource, PriorityRequestChannel {
    private volatile Runnable wake = () -> {};
    private volatile Consumer<PriorityRequest> listener = request -> {};

    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      return CompletableFuture.completedFuture(serve(request, this));
    }

    @Override
    public void onHint(Runnable listener) {
      wake = listener;
      waiting.add(this);
    }

    @Override
    public void sendPriorityRequest(PriorityRequest request) {
      sendToOthers(request, this);
    }

    @Override
    public void onPriorityRequest(Consumer<PriorityRequest> added) {
      listener = added;
    }

    @Override
    public void close() {
      waiting.remove(this);
    }
  }
}
