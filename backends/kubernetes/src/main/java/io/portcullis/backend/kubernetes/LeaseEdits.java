package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Builds the new versions of the Lease: client-go's fields and this backend's annotations. Other
 * content of the object is kept. Sends nothing.
 */
final class LeaseEdits {
  /** Format of times; Kubernetes requires exactly six fractional digits. */
  static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Later times were written by hand and are not increased further. */
  private static final Instant MAX_PLAUSIBLE_TIME = Instant.parse("9000-01-01T00:00:00Z");

  /** A Lease not written for longer may come from a backup: others may have led since. */
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

  /** Builds the initial Lease without a holder, new or from a blank one. */
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

  /** Builds a grant: the claimant becomes the holder under {@code epoch}. */
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
    notes.remove(LeaseDocument.SUCCESSOR);
    address(notes, claim.address());
    return lease;
  }

  /**
   * Adds a priority request of a standby. The fields of {@link LeaseDocument#version} are kept, so
   * it does not look like a renewal. A concurrent write of the holder conflicts; the holder reads
   * again.
   */
  ObjectNode priorityRequest(LeaseDocument before, PriorityRequest request) {
    ObjectNode lease = before.copy();
    annotations(lease).put(LeaseDocument.PRIORITY_REQUEST, request.text());
    return lease;
  }

  /** Builds a renewal by the holder. */
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

  /** Builds a release in client-go's form, optionally for a successor. */
  ObjectNode release(LeaseDocument before, @Nullable String successor, Instant now) {
    ObjectNode lease = before.copy();
    ObjectNode spec = lease.withObject("/spec");
    String time = MICRO_TIME.format(laterThan(before, now));
    spec.remove("holderIdentity");
    spec.put("leaseDurationSeconds", LeaseDocument.RELEASED_SECONDS);
    spec.put("acquireTime", time);
    spec.put("renewTime", time);
    ObjectNode notes = annotations(lease);
    notes.remove(LeaseDocument.LENGTH);
    notes.remove(LeaseDocument.SUCCESSOR);
    if (successor != null) {
      notes.put(LeaseDocument.SUCCESSOR, before.successorValue(successor));
    }
    return lease;
  }

  /**
   * Returns the epoch of the grant that replaces {@code current}.
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

  /** Returns a time at least one second later: client-go compares whole seconds. */
  private static Instant laterThan(LeaseDocument before, Instant now) {
    Instant last = before.renewTime();
    Instant current = now.truncatedTo(ChronoUnit.MICROS);
    if (last == null || last.isAfter(MAX_PLAUSIBLE_TIME)) {
      return current;
    }
    Instant earliest = last.truncatedTo(ChronoUnit.MICROS).plusSeconds(1);
    return current.isAfter(earliest) ? current : earliest;
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
   * Error messages for a Lease with an implausible epoch; they contain the command to repair it.
   *
   * @param namespace namespace of the Lease
   * @param name name of the Lease
   */
  record LeaseRepairMessages(String namespace, String name) {

    /**
     * Returns why this version of the Lease can't be used, null if it can.
     *
     * @param unixSecond the current time
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
