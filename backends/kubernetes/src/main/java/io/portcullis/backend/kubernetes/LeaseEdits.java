package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.PriorityRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is written into the Lease, in client-go's form, with our annotations beside it. Whatever
 * else the object holds stays. Nothing is sent from here.
 */
final class LeaseEdits {
  /** Six digits behind the point, no more and no less, or Kubernetes does not take it. */
  static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Beyond this a time can't be raised for ever; somebody wrote it by hand. */
  private static final Instant MAX_PLAUSIBLE_TIME = Instant.parse("9000-01-01T00:00:00Z");

  /** A Lease not written for so long may come from a backup: others may have led since. */
  private static final Duration MAX_CURRENT_AGE = Duration.ofMinutes(1);

  private final String namespace;
  private final String name;
  private final String election;

  LeaseEdits(String namespace, String name, String election) {
    this.namespace = namespace;
    this.name = name;
    this.election = election;
  }

  LeaseRepairMessages repair() {
    return new LeaseRepairMessages(namespace, name);
  }

  /** A Lease of nobody, to be created, or to be written into one that is blank. */
  ObjectNode ground(@Nullable LeaseDocument blank, LeaseRecord ground, String mark) {
    ObjectNode lease = blank == null ? newLease() : blank.copy();
    lease.withObject("/spec").put("leaseTransitions", 0);
    ObjectNode notes = annotations(lease);
    notes.put(LeaseDocument.ELECTION, election);
    notes.put(LeaseDocument.EPOCH, Long.toString(ground.epoch()));
    notes.put(LeaseDocument.TENURE, "0");
    notes.put(LeaseDocument.GROUND, ground.lease().toMillis() + " " + mark);
    return lease;
  }

  private ObjectNode newLease() {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.withObject("/metadata").put("namespace", namespace).put("name", name);
    return lease;
  }

  /** The claimant leads from now on, under {@code epoch}. */
  ObjectNode grant(LeaseDocument before, Claim claim, long epoch, Instant now) {
    ObjectNode lease = before.copy();
    int tenure = before.transitions() == Integer.MAX_VALUE ? 1 : before.transitions() + 1;
    String time = MICRO_TIME.format(laterThan(before, now));
    ObjectNode spec = lease.withObject("/spec");
    spec.put("holderIdentity", claim.node());
    spec.put("leaseDurationSeconds", seconds(claim.lease()));
    spec.put("acquireTime", time);
    spec.put("renewTime", time);
    spec.put("leaseTransitions", tenure);
    ObjectNode notes = annotations(lease);
    notes.put(LeaseDocument.ELECTION, election);
    notes.put(LeaseDocument.EPOCH, Long.toString(epoch));
    notes.put(LeaseDocument.HOLDER, claim.node());
    notes.put(LeaseDocument.TENURE, Integer.toString(tenure));
    notes.put(LeaseDocument.LENGTH, Integer.toString(seconds(claim.lease())));
    notes.remove(LeaseDocument.GROUND);
    notes.remove(LeaseDocument.PRIORITY_REQUEST);
    notes.remove(LeaseDocument.HEIR);
    address(notes, claim.address());
    return lease;
  }

  /**
   * A standby would rather lead. All that tells one write of the lease from another stays, so
   * nobody takes it for a renewal; a holder that is just writing is overtaken, and reads again.
   */
  ObjectNode priorityRequest(LeaseDocument before, PriorityRequest wish) {
    ObjectNode lease = before.copy();
    annotations(lease).put(LeaseDocument.PRIORITY_REQUEST, wish.text());
    return lease;
  }

  /** The holder goes on. */
  ObjectNode renewal(LeaseDocument before, Duration length, @Nullable String address, Instant now) {
    ObjectNode lease = before.copy();
    ObjectNode spec = lease.withObject("/spec");
    spec.put("leaseDurationSeconds", seconds(length));
    spec.put("renewTime", MICRO_TIME.format(laterThan(before, now)));
    ObjectNode notes = annotations(lease);
    notes.put(LeaseDocument.LENGTH, Integer.toString(seconds(length)));
    address(notes, address);
    return lease;
  }

  /** The holder has let go, in the form in which client-go says so, perhaps for somebody. */
  ObjectNode release(LeaseDocument before, @Nullable String heir, Instant now) {
    ObjectNode lease = before.copy();
    ObjectNode spec = lease.withObject("/spec");
    String time = MICRO_TIME.format(laterThan(before, now));
    spec.remove("holderIdentity");
    spec.put("leaseDurationSeconds", LeaseDocument.RELEASED_SECONDS);
    spec.put("acquireTime", time);
    spec.put("renewTime", time);
    ObjectNode notes = annotations(lease);
    notes.remove(LeaseDocument.LENGTH);
    notes.remove(LeaseDocument.HEIR);
    if (heir != null) {
      notes.put(LeaseDocument.HEIR, before.heir(heir));
    }
    return lease;
  }

  /**
   * The epoch of the grant that replaces {@code current}.
   *
   * @throws io.portcullis.election.store.EpochRangeException if no epoch is left above it
   */
  static long nextEpoch(LeaseDocument before, LeaseRecord current, Claim claim, Instant now) {
    Instant written = before.renewTime();
    boolean unbroken =
        before.hasCurrentEpoch()
            && written != null
            && Duration.between(written, now).abs().compareTo(MAX_CURRENT_AGE) < 0;
    long next = claim.nextEpoch(current, unbroken, now.getEpochSecond());
    return Math.max(next, EpochRange.after(before.transitions()));
  }

  /** client-go compares whole seconds, so each write must show another one. */
  private static Instant laterThan(LeaseDocument before, Instant now) {
    Instant last = before.renewTime();
    Instant here = now.truncatedTo(ChronoUnit.MICROS);
    if (last == null || last.isAfter(MAX_PLAUSIBLE_TIME)) {
      return here;
    }
    Instant least = last.truncatedTo(ChronoUnit.MICROS).plusSeconds(1);
    return here.isAfter(least) ? here : least;
  }

  private static int seconds(Duration length) {
    return Math.toIntExact(length.plusNanos(999_999_999).toSeconds());
  }

  private static void address(ObjectNode notes, @Nullable String address) {
    if (address == null) {
      notes.remove(LeaseDocument.ADDRESS);
    } else {
      notes.put(LeaseDocument.ADDRESS, address);
    }
  }

  private static ObjectNode annotations(ObjectNode lease) {
    ObjectNode metadata = lease.withObject("/metadata");
    JsonNode notes = metadata.path("annotations");
    return notes instanceof ObjectNode object ? object : metadata.putObject("annotations");
  }

  /**
   * Sentences about a Lease whose epoch can't be right: what is wrong, and what to run.
   *
   * @param namespace the Lease's
   * @param name the Lease's
   */
  record LeaseRepairMessages(String namespace, String name) {

    /**
     * Why the election can't go on with this version of the Lease; null if it can.
     *
     * @param unixSecond the present time
     */
    @Nullable String faultIn(LeaseDocument lease, long unixSecond) {
      try {
        lease.checkEpoch(unixSecond);
      } catch (EpochRangeException e) {
        return message(e);
      }
      String transitions = lease.wrongTransitions();
      return transitions == null
          ? null
          : EpochRangeException.implausible(transitions)
              .sentence(
                  "spec.leaseTransitions of Lease " + namespace + "/" + name,
                  "kubectl -n "
                      + namespace
                      + " patch lease "
                      + name
                      + " --type=merge -p '{\"spec\":{\"leaseTransitions\":0}}'");
    }

    String message(EpochRangeException wrong) {
      return wrong.sentence(
          "annotation " + LeaseDocument.EPOCH + " of Lease " + namespace + "/" + name,
          "kubectl -n "
              + namespace
              + " annotate lease "
              + name
              + " --overwrite "
              + LeaseDocument.EPOCH
              + "=$(date +%s)");
    }
  }
}
