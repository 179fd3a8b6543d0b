package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.LeaseCache.Sight;
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
  private static final int TRIES = 3;

  private final LeaseApi api;
  private final LeaseCache window;
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
    this.window = window;
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

  LeaseResponse answer(LeaseRequest request, long deadlineNanos) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      return decide(ripe(acquire.claim()::mayTake), deadlineNanos, acquiring(acquire.claim()));
    }
    if (request instanceof LeaseRequest.Renew renew) {
      Sight known = ripe(shown -> shown.isHeldBy(renew.node(), renew.epoch()));
      return decide(known, deadlineNanos, renewing(renew));
    }
    if (request instanceof LeaseRequest.Release release) {
      Sight known = ripe(shown -> shown.isHeldBy(release.node(), release.epoch()));
      return decide(known, deadlineNanos, releasing(release));
    }
    return decide(null, deadlineNanos, (lease, shown, deadline) -> new HeldByOther(shown));
  }

  /** Notes a wish beside the lease of whom it is meant for, if that one still holds it. */
  void note(PriorityRequest wish, long deadlineNanos) {
    Predicate<LeaseRecord> meant =
        shown ->
            shown.isHeld() && shown.epoch() == wish.epoch() && !shown.holder().equals(wish.node());
    LeaseResponse unused =
        decide(
            ripe(meant),
            deadlineNanos,
            (lease, shown, deadline) ->
                lease == null || !meant.test(shown)
                    ? new HeldByOther(shown)
                    : after(keep(() -> api.update(edits.wish(lease, wish), deadline))));
  }

  /** Brings the window up to date. */
  void lookAnew(long deadlineNanos) {
    keep(() -> api.get(deadlineNanos));
  }

  /**
   * What the election is told. Whoever finds itself in the record may go on by it, so a node that
   * was only named by hand must not: its predecessor may still lead.
   */
  LeaseRecord shown(@Nullable LeaseDocument lease) {
    if (lease == null) {
      return LeaseRecord.none("");
    }
    LeaseRecord record = lease.record(longestLease);
    return record.holder().equals(self) && !lease.tellsOfGrantTo(self) ? notMine(record) : record;
  }

  /**
   * Why the election can't go on with this Lease, which must not be reported then; null if it can.
   */
  @Nullable String faultIn(LeaseDocument lease) {
    return edits.repair().faultIn(lease, wallClock.instant().getEpochSecond());
  }

  private static LeaseRecord notMine(LeaseRecord record) {
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
  private @Nullable Sight ripe(Predicate<LeaseRecord> suffices) {
    Sight latest = window.latest();
    LeaseDocument lease = latest == null ? null : latest.lease();
    return lease != null && faultIn(lease) == null && suffices.test(shown(lease)) ? latest : null;
  }

  private LeaseResponse decide(@Nullable Sight known, long deadlineNanos, Decision decision) {
    Sight sight = known;
    for (int tries = 0; tries < TRIES; tries++) {
      if (sight == null) {
        LeaseReply read = keep(() -> api.get(deadlineNanos));
        if (read instanceof LeaseReply.Unclear unclear) {
          return new Unknown(unclear.why());
        }
        sight = new Sight(leaseIn(read), System.nanoTime());
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
        answer = decision.on(lease, shown(lease), deadlineNanos);
      } catch (EpochRangeException e) {
        return new Unknown(edits.repair().sentence(e));
      }
      if (answer != null) {
        return answer;
      }
      sight = null;
    }
    return new Unknown("others wrote the Lease faster " + TRIES + " times in a row");
  }

  private Decision acquiring(Claim claim) {
    return (lease, shown, deadline) -> {
      if (shown.isNone()) {
        return layGround(lease, claim, deadline);
      }
      if (lease == null || !claim.mayTake(shown)) {
        return new HeldByOther(shown);
      }
      long epoch = LeaseEdits.nextEpoch(lease, shown, claim, wallClock.instant());
      return granted(edits.grant(lease, claim, epoch, wallClock.instant()), epoch, deadline);
    };
  }

  private @Nullable LeaseResponse layGround(
      @Nullable LeaseDocument blank, Claim claim, long deadline) {
    long unixSecond = wallClock.instant().getEpochSecond();
    String mark = UUID.randomUUID().toString();
    LeaseRecord ground = claim.initialRecord(blank == null ? "" : blank.uid(), mark, unixSecond);
    ObjectNode made = edits.ground(blank, ground, mark);
    window.writing(new LeaseDocument(made).version());
    LeaseReply reply =
        keep(() -> blank == null ? api.create(made, deadline) : api.update(made, deadline));
    return after(reply);
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
      return after(
          update(edits.release(lease, release.successor(), wallClock.instant()), deadline));
    };
  }

  private LeaseReply update(ObjectNode lease, long deadlineNanos) {
    window.writing(new LeaseDocument(lease).version());
    return keep(() -> api.update(lease, deadlineNanos));
  }

  /** Only a reply that shows what was written proves that it was. */
  private @Nullable LeaseResponse granted(ObjectNode written, long epoch, long deadlineNanos) {
    LeaseReply reply = update(written, deadlineNanos);
    if (!(reply instanceof LeaseReply.Found found)) {
      return after(reply);
    }
    RecordVersion sent = shown(new LeaseDocument(written)).recordVersion();
    return shown(found.lease()).recordVersion().equals(sent)
        ? new Granted(epoch, found.lease().uid())
        : new Unknown("the server answers with another Lease than was written");
  }

  private @Nullable LeaseResponse after(LeaseReply reply) {
    if (reply instanceof LeaseReply.Unclear unclear) {
      return new Unknown(unclear.why());
    }
    if (reply instanceof LeaseReply.Conflict) {
      return null;
    }
    return new HeldByOther(shown(leaseIn(reply)));
  }

  private static @Nullable LeaseDocument leaseIn(LeaseReply reply) {
    return reply instanceof LeaseReply.Found found ? found.lease() : null;
  }

  /** Sends, and lets the window see what came back. */
  private LeaseReply keep(Supplier<LeaseReply> call) {
    long asked = System.nanoTime();
    LeaseReply reply = call.get();
    if (reply instanceof LeaseReply.Found || reply instanceof LeaseReply.Missing) {
      window.replied(leaseIn(reply), asked, System.nanoTime());
    }
    return reply;
  }

  /** What the API server said to one request. */
  sealed interface LeaseReply {

    /** The Lease as it is after the request. */
    record Found(LeaseDocument lease) implements LeaseReply {}

    /** There is no such Lease. */
    record Missing() implements LeaseReply {}

    /** Somebody else was faster: the request changed nothing. */
    record Conflict() implements LeaseReply {}

    /** Nobody knows whether the request took effect, or it was refused for another reason. */
    record Unclear(String why) implements LeaseReply {}
  }
}
