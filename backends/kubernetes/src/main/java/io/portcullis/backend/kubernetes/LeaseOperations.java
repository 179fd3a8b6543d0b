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
import io.portcullis.election.store.PriorityRequest;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the election asks. Reads the Lease unless what is known already suffices for a
 * write, and writes by compare-and-set: who was overtaken reads again and decides anew, a few
 * times, as long as the question has time.
 */
final class LeaseOperations {
  /** How often a write that was overtaken is decided anew. */
  private static final int MAX_ATTEMPTS = 3;

  private final LeaseApi api;
  private final LeaseCache cache;
  private final LeaseEdits edits;
  private final String election;
  private final String self;
  private final Duration longestLease;
  private final InstantSource wallClock;

  /**
   * @param election whose Lease it is, as service/election
   * @param self who asks
   * @param longestLease the longest lease of any node of the election
   */
  LeaseOperations(
      LeaseApi api,
      LeaseCache window,
      LeaseEdits edits,
      String election,
      String self,
      Duration longestLease,
      InstantSource wallClock) {
    this.api = api;
    this.cache = window;
    this.edits = edits;
    this.election = election;
    this.self = self;
    this.longestLease = longestLease;
    this.wallClock = wallClock;
  }

  /** One decision about what is known: an answer, or a write that was overtaken. */
  @FunctionalInterface
  private interface Decision {
    /** Null if somebody else was faster. */
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

  /** Notes a wish beside the lease of whom it is meant for, if that one still holds it. */
  void writePriorityRequest(PriorityRequest wish, long deadlineNanos) {
    Predicate<LeaseRecord> meant =
        shown ->
            shown.isHeld() && shown.epoch() == wish.epoch() && !shown.holder().equals(wish.node());
    LeaseResponse unused =
        decide(
            cachedIf(meant),
            deadlineNanos,
            (lease, shown, deadline) ->
                lease == null || !meant.test(shown)
                    ? new HeldByOther(shown)
                    : toResponse(
                        sendAndCache(
                            () -> api.update(edits.priorityRequest(lease, wish), deadline))));
  }

  /** Brings the window up to date. */
  void refresh(long deadlineNanos) {
    sendAndCache(() -> api.get(deadlineNanos));
  }

  /**
   * What the election is told. Whoever finds itself in the record may go on by it, so a node that
   * was only named by hand must not: its predecessor may still lead.
   */
  LeaseRecord recordOf(@Nullable LeaseDocument lease) {
    if (lease == null) {
      return LeaseRecord.none("");
    }
    LeaseRecord record = lease.record(longestLease);
    return record.holder().equals(self) && !lease.isGrantedTo(self) ? withoutGrant(record) : record;
  }

  /**
   * Why the election can't go on with this Lease, which must not be reported then; null if it can.
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

  /** What is known, if that suffices for a write without another look: the write compares. */
  private @Nullable CachedLease cachedIf(Predicate<LeaseRecord> suffices) {
    CachedLease latest = cache.latest();
    LeaseDocument lease = latest == null ? null : latest.lease();
    return lease != null && faultIn(lease) == null && suffices.test(recordOf(lease))
        ? latest
        : null;
  }

  private LeaseResponse decide(@Nullable CachedLease known, long deadlineNanos, Decision decision) {
    CachedLease sight = known;
    for (int tries = 0; tries < MAX_ATTEMPTS; tries++) {
      if (sight == null) {
        LeaseApiResult read = sendAndCache(() -> api.get(deadlineNanos));
        if (read instanceof LeaseApiResult.UnknownOutcome unclear) {
          return new Unknown(unclear.why());
        }
        sight = new CachedLease(leaseIn(read), System.nanoTime());
      }
      LeaseDocument lease = sight.lease();
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
      LeaseResponse answer;
      try {
        answer = decision.on(lease, recordOf(lease), deadlineNanos);
      } catch (EpochRangeException e) {
        return new Unknown(edits.repair().message(e));
      }
      if (answer != null) {
        return answer;
      }
      sight = null;
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

  /** Only a reply that shows what was written proves that it was. */
  private @Nullable LeaseResponse granted(ObjectNode written, long epoch, long deadlineNanos) {
    LeaseApiResult reply = update(written, deadlineNanos);
    if (!(reply instanceof LeaseApiResult.Found found)) {
      return toResponse(reply);
    }
    RecordVersion sent = recordOf(new LeaseDocument(written)).recordVersion();
    return recordOf(found.lease()).recordVersion().equals(sent)
        ? new Granted(epoch, found.lease().uid())
        : new Unknown("the server answers with another Lease than was written");
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

  /** Sends, and lets the window see what came back. */
  private LeaseApiResult sendAndCache(Supplier<LeaseApiResult> call) {
    long asked = System.nanoTime();
    LeaseApiResult reply = call.get();
    if (reply instanceof LeaseApiResult.Found || reply instanceof LeaseApiResult.Missing) {
      cache.onReply(leaseIn(reply), asked, System.nanoTime());
    }
    return reply;
  }

  /** What the API server said to one request. */
  sealed interface LeaseApiResult {

    /** The Lease as it is after the request. */
    record Found(LeaseDocument lease) implements LeaseApiResult {}

    /** There is no such Lease. */
    record Missing() implements LeaseApiResult {}

    /** Somebody else was faster: the request changed nothing. */
    record Conflict() implements LeaseApiResult {}

    /** Nobody knows whether the request took effect, or it was refused for another reason. */
    record UnknownOutcome(String why) implements LeaseApiResult {}
  }
}
