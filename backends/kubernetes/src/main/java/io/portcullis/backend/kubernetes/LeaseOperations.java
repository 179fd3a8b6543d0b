package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.LeaseCache.CachedLease;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes the lease requests of the election. Reads the Lease unless the cached version suffices
 * for a write, and writes by compare-and-set. After a conflict it reads the Lease and decides
 * again, a limited number of times and until the deadline of the request.
 */
final class LeaseOperations {
  /** Maximum number of attempts of a write that conflicts with other writes. */
  private static final int MAX_ATTEMPTS = 3;

  private final LeaseApi api;
  private final LeaseCache cache;
  private final LeaseEdits edits;
  private final String election;
  private final String self;
  private final Duration longestLease;
  private final InstantSource wallClock;

  /**
   * Creates the operations of one node.
   *
   * @param election the election, as service/election
   * @param self identity of this node
   * @param longestLease the longest lease of any node of the election
   */
  LeaseOperations(
      LeaseApi api,
      LeaseCache cache,
      LeaseEdits edits,
      String election,
      String self,
      Duration longestLease,
      InstantSource wallClock) {
    this.api = api;
    this.cache = cache;
    this.edits = edits;
    this.election = election;
    this.self = self;
    this.longestLease = longestLease;
    this.wallClock = wallClock;
  }

  /** Decides on a version of the Lease: returns a response, or null after a conflict. */
  @FunctionalInterface
  private interface Decision {
    /** Returns the response, null if another client wrote first. */
    @Nullable LeaseResponse on(
        @Nullable LeaseDocument lease, LeaseRecord shown, long deadlineNanos);
  }

  LeaseResponse execute(LeaseRequest request, long deadlineNanos) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      return decide(cachedIf(acquire.claim()::mayTake), deadlineNanos, acquiring(acquire.claim()));
    }
    if (request instanceof LeaseRequest.Renew renew) {
      CachedLease known = cachedIf(shown -> shown.isHeldBy(renew.node(), renew.epoch()));
      return decide(known, deadlineNanos, renewing(renew));
    }
    if (request instanceof LeaseRequest.Release release) {
      CachedLease known = cachedIf(shown -> shown.isHeldBy(release.node(), release.epoch()));
      return decide(known, deadlineNanos, releasing(release));
    }
    return decide(null, deadlineNanos, (lease, shown, deadline) -> new HeldByOther(shown));
  }

  /** Writes a priority request into the Lease if the addressed holder still holds it. */
  void writePriorityRequest(PriorityRequest request, long deadlineNanos) {
    Predicate<LeaseRecord> isAddressee =
        shown ->
            shown.isHeld()
                && shown.epoch() == request.epoch()
                && !shown.holder().equals(request.node());
    LeaseResponse unused =
        decide(
            cachedIf(isAddressee),
            deadlineNanos,
            (lease, shown, deadline) ->
                lease == null || !isAddressee.test(shown)
                    ? new HeldByOther(shown)
                    : toResponse(
                        sendAndCache(
                            () -> api.update(edits.priorityRequest(lease, request), deadline))));
  }

  /** Updates the cache. */
  void refresh(long deadlineNanos) {
    sendAndCache(() -> api.get(deadlineNanos));
  }

  /**
   * Returns the record for the election. A node that finds itself as holder continues to lead, so a
   * node whose name was only written by hand must not find itself: its predecessor may still lead.
   */
  LeaseRecord recordOf(@Nullable LeaseDocument lease) {
    if (lease == null) {
      return LeaseRecord.none("");
    }
    LeaseRecord record = lease.record(longestLease);
    return record.holder().equals(self) && !lease.isGrantedTo(self) ? withoutGrant(record) : record;
  }

  /**
   * Returns why this version of the Lease can't be used, null if it can. A faulty version must not
   * be reported to the election.
   */
  @Nullable String faultIn(LeaseDocument lease) {
    return edits.repair().faultIn(lease, wallClock.instant().getEpochSecond());
  }

  private static LeaseRecord withoutGrant(LeaseRecord record) {
    RecordVersion stamp = record.recordVersion();
    String named = stamp.holder() + " (not by a grant)";
    return new LeaseRecord(
        new RecordVersion(stamp.incarnation(), named, stamp.epoch(), stamp.version()),
        null,
        record.lease(),
        record.remaining(),
        record.released());
  }

  /** The cached version if it suffices for a write without a read; the write compares it. */
  private @Nullable CachedLease cachedIf(Predicate<LeaseRecord> suffices) {
    CachedLease latest = cache.latest();
    LeaseDocument lease = latest == null ? null : latest.lease();
    return lease != null && faultIn(lease) == null && suffices.test(recordOf(lease))
        ? latest
        : null;
  }

  private LeaseResponse decide(@Nullable CachedLease known, long deadlineNanos, Decision decision) {
    CachedLease current = known;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (current == null) {
        LeaseApiResult read = sendAndCache(() -> api.get(deadlineNanos));
        if (read instanceof LeaseApiResult.UnknownOutcome unclear) {
          return new Unknown(unclear.why());
        }
        current = new CachedLease(leaseIn(read), System.nanoTime());
      }
      LeaseDocument lease = current.lease();
      if (lease != null && !lease.election().isEmpty() && !lease.election().equals(election)) {
        return new Unknown(
            "the Lease belongs to the election "
                + lease.election()
                + ", and this one is "
                + election
                + "; name another one with kubernetes.lease");
      }
      String fault = lease == null ? null : faultIn(lease);
      if (fault != null) {
        return new Unknown(fault);
      }
      LeaseResponse response;
      try {
        response = decision.on(lease, recordOf(lease), deadlineNanos);
      } catch (EpochRangeException e) {
        return new Unknown(edits.repair().message(e));
      }
      if (response != null) {
        return response;
      }
      current = null;
    }
    return new Unknown("others wrote the Lease faster " + MAX_ATTEMPTS + " times in a row");
  }

  private Decision acquiring(Claim claim) {
    return (lease, shown, deadline) -> {
      if (shown.isNone()) {
        return createInitialLease(lease, claim, deadline);
      }
      if (lease == null || !claim.mayTake(shown)) {
        return new HeldByOther(shown);
      }
      long epoch = LeaseEdits.nextEpoch(lease, shown, claim, wallClock.instant());
      return granted(edits.grant(lease, claim, epoch, wallClock.instant()), epoch, deadline);
    };
  }

  private @Nullable LeaseResponse createInitialLease(
      @Nullable LeaseDocument blank, Claim claim, long deadline) {
    long unixSecond = wallClock.instant().getEpochSecond();
    String mark = UUID.randomUUID().toString();
    LeaseRecord ground = claim.initialRecord(blank == null ? "" : blank.uid(), mark, unixSecond);
    ObjectNode made = edits.ground(blank, ground, mark);
    cache.writing(new LeaseDocument(made).version());
    LeaseApiResult reply =
        sendAndCache(() -> blank == null ? api.create(made, deadline) : api.update(made, deadline));
    return toResponse(reply);
  }

  private Decision renewing(LeaseRequest.Renew renew) {
    return (lease, shown, deadline) -> {
      if (lease == null
          || !shown.isHeldBy(renew.node(), renew.epoch())
          || !lease.holder().equals(renew.node())) {
        return new HeldByOther(shown);
      }
      ObjectNode renewed =
          edits.renewal(lease, renew.lease(), renew.address(), wallClock.instant());
      return granted(renewed, renew.epoch(), deadline);
    };
  }

  private Decision releasing(LeaseRequest.Release release) {
    return (lease, shown, deadline) -> {
      if (lease == null
          || !shown.isHeldBy(release.node(), release.epoch())
          || !lease.uid().equals(release.incarnation())) {
        return new HeldByOther(shown);
      }
      return toResponse(
          update(edits.release(lease, release.successor(), wallClock.instant()), deadline));
    };
  }

  private LeaseApiResult update(ObjectNode lease, long deadlineNanos) {
    cache.writing(new LeaseDocument(lease).version());
    return sendAndCache(() -> api.update(lease, deadlineNanos));
  }

  /** Writes a grant. Only a response with the written version proves that the write succeeded. */
  private @Nullable LeaseResponse granted(ObjectNode written, long epoch, long deadlineNanos) {
    LeaseApiResult reply = update(written, deadlineNanos);
    if (!(reply instanceof LeaseApiResult.Found found)) {
      return toResponse(reply);
    }
    RecordVersion sent = recordOf(new LeaseDocument(written)).recordVersion();
    return recordOf(found.lease()).recordVersion().equals(sent)
        ? new Granted(epoch, found.lease().uid())
        : new Unknown("the server responds with another Lease than was written");
  }

  private @Nullable LeaseResponse toResponse(LeaseApiResult reply) {
    if (reply instanceof LeaseApiResult.UnknownOutcome unclear) {
      return new Unknown(unclear.why());
    }
    if (reply instanceof LeaseApiResult.Conflict) {
      return null;
    }
    return new HeldByOther(recordOf(leaseIn(reply)));
  }

  private static @Nullable LeaseDocument leaseIn(LeaseApiResult reply) {
    return reply instanceof LeaseApiResult.Found found ? found.lease() : null;
  }

  /** Sends a request and stores its result in the cache. */
  private LeaseApiResult sendAndCache(Supplier<LeaseApiResult> call) {
    long sentNanos = System.nanoTime();
    LeaseApiResult reply = call.get();
    if (reply instanceof LeaseApiResult.Found || reply instanceof LeaseApiResult.Missing) {
      cache.onReply(leaseIn(reply), sentNanos, System.nanoTime());
    }
    return reply;
  }

  /** Result of one request to the API server. */
  sealed interface LeaseApiResult {

    /** The Lease as it is after the request. */
    record Found(LeaseDocument lease) implements LeaseApiResult {}

    /** The Lease does not exist. */
    record Missing() implements LeaseApiResult {}

    /** Another client wrote first; the request changed nothing. */
    record Conflict() implements LeaseApiResult {}

    /** It is unknown whether the request was executed, or it was refused for another reason. */
    record UnknownOutcome(String why) implements LeaseApiResult {}
  }
}
