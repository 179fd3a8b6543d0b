package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * One version of the Lease object. Reading never fails: an invalid field counts as missing. An
 * invalid epoch never leads to a grant, see {@link LeaseEdits.LeaseRepairMessages}.
 *
 * <p>The annotations belong to the tenure whose transition count they contain. If the object has
 * another count, a program that does not know the annotations has led since.
 */
final class LeaseDocument {
  static final String EPOCH = "portcullis.io/epoch";
  static final String HOLDER = "portcullis.io/holder";
  static final String TENURE = "portcullis.io/tenure";
  static final String ADDRESS = "portcullis.io/address";

  /** Lease duration of the current tenure in seconds; removed when the holder releases. */
  static final String LENGTH = "portcullis.io/length";

  static final String ELECTION = "portcullis.io/election";

  /** Priority request of a standby, see {@link LeaseEdits#priorityRequest}. */
  static final String PRIORITY_REQUEST = "portcullis.io/priority-request";

  /** Node for which the last holder has released; other nodes let it acquire first. */
  static final String SUCCESSOR = "portcullis.io/successor";

  /** Initial record before the first leader: the wait in milliseconds, and a unique mark. */
  static final String GROUND = "portcullis.io/ground";

  /** The lease duration that client-go writes at a release. */
  static final int RELEASED_SECONDS = 1;

  /** Name used for a holder that released without leaving its name. */
  private static final String ANOTHER_PROGRAM = "(another program)";

  private static final Duration MAX_LEASE_DURATION = Duration.ofDays(365);

  private final ObjectNode json;

  LeaseDocument(ObjectNode json) {
    this.json = json;
  }

  /** Returns a copy for modification. */
  ObjectNode copy() {
    return json.deepCopy();
  }

  String uid() {
    return text(json.path("metadata").path("uid"));
  }

  String resourceVersion() {
    return text(json.path("metadata").path("resourceVersion"));
  }

  String namespace() {
    return text(json.path("metadata").path("namespace"));
  }

  String name() {
    return text(json.path("metadata").path("name"));
  }

  /** The election as service/election, empty if unknown. */
  String election() {
    return annotation(ELECTION);
  }

  /** The priority request of a standby, empty if there is none. */
  String priorityRequest() {
    return annotation(PRIORITY_REQUEST);
  }

  /** Whether the last holder has released for a node other than {@code node}. */
  boolean isReservedForAnotherThan(String node) {
    String successor = annotation(SUCCESSOR);
    return isReleased()
        && hasCurrentEpoch()
        && successor.startsWith(successorValue(""))
        && !successor.equals(successorValue(node));
  }

  /** The value of {@link #SUCCESSOR} in a release for {@code node} under the current epoch. */
  String successorValue(String node) {
    return annotatedEpoch() + " " + node;
  }

  /** The holder in the spec, empty if there is none. */
  String holder() {
    return text(spec("holderIdentity"));
  }

  int transitions() {
    JsonNode count = spec("leaseTransitions");
    return count.canConvertToInt() ? Math.max(0, count.intValue()) : 0;
  }

  /** The renew time by the writer's wall clock, null if missing or invalid. */
  @Nullable Instant renewTime() {
    try {
      return OffsetDateTime.parse(text(spec("renewTime"))).toInstant();
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** Whether the epoch in the annotations belongs to the current tenure. */
  boolean hasCurrentEpoch() {
    return annotatedEpoch() > 0 && annotation(TENURE).equals(Integer.toString(transitions()));
  }

  /** Whether the current tenure was granted to {@code node}, not just written by hand. */
  boolean isGrantedTo(String node) {
    return hasCurrentEpoch() && annotation(HOLDER).equals(node);
  }

  /**
   * Checks the epoch annotation. Must be called before the next epoch is derived from it.
   *
   * @param unixSecond the current time
   * @throws EpochRangeException if the annotation exists and is not plausible
   */
  void checkEpoch(long unixSecond) {
    JsonNode written = json.path("metadata").path("annotations").path(EPOCH);
    if (!written.isMissingNode()
        && !written.isNull()
        && (annotatedEpoch() == 0 || annotatedEpoch() > EpochRange.highestAt(unixSecond))) {
      throw EpochRangeException.implausible(written.asText());
    }
  }

  /** The value of the count of transitions if it is not a valid count; otherwise null. */
  @Nullable String wrongTransitions() {
    JsonNode count = spec("leaseTransitions");
    boolean present = !count.isMissingNode() && !count.isNull();
    boolean valid = count.isIntegralNumber() && count.canConvertToInt() && count.intValue() >= 0;
    return present && !valid ? count.toString() : null;
  }

  private long annotatedEpoch() {
    try {
      return EpochRange.parse(annotation(EPOCH));
    } catch (EpochRangeException e) {
      return 0;
    }
  }

  /**
   * Returns the lease record for the election.
   *
   * @param longestOfAll the longest lease of any node, assumed if the object contains no duration
   */
  LeaseRecord record(Duration longestOfAll) {
    if (isBlank()) {
      return LeaseRecord.none(uid());
    }
    String last = annotation(HOLDER);
    if (hasCurrentEpoch()) {
      Duration ground = groundWait();
      if (ground != null && holder().isEmpty()) {
        return ownerless(annotatedEpoch(), annotation(GROUND), ground);
      }
      if (!last.isEmpty() && (holder().isEmpty() || holder().equals(last))) {
        return held(last, annotatedEpoch(), longestOfAll);
      }
    }
    // A tenure of another program or written by hand: later than the one in the annotations.
    long known = Math.max(annotatedEpoch(), transitions());
    long epoch = Math.min(Math.addExact(known, 1), EpochRange.MAX_EPOCH);
    if (holder().isEmpty() && !isReleased()) {
      return ownerless(epoch, version(), length(longestOfAll));
    }
    return held(holder().isEmpty() ? ANOTHER_PROGRAM : holder(), epoch, longestOfAll);
  }

  private LeaseRecord held(String who, long epoch, Duration longestOfAll) {
    RecordVersion stamp = new RecordVersion(uid(), who, epoch, version());
    Duration length = length(longestOfAll);
    String address = hasCurrentEpoch() ? annotation(ADDRESS) : "";
    return new LeaseRecord(stamp, address.isEmpty() ? null : address, length, length, isReleased());
  }

  private LeaseRecord ownerless(long epoch, String version, Duration wait) {
    return new LeaseRecord(new RecordVersion(uid(), "", epoch, version), null, wait, wait, false);
  }

  /** Whether the Lease was created without any holder or epoch. */
  private boolean isBlank() {
    return holder().isEmpty()
        && annotatedEpoch() == 0
        && text(spec("renewTime")).isEmpty()
        && text(spec("acquireTime")).isEmpty()
        && transitions() == 0;
  }

  /**
   * Whether the holder itself has released the Lease. A holder cleared by hand is not a release;
   * its lease expires like any other. A holder that writes {@link #LENGTH} removes it at a release.
   */
  private boolean isReleased() {
    return holder().isEmpty() && seconds() == RELEASED_SECONDS && annotatedDuration().isZero();
  }

  private int seconds() {
    JsonNode seconds = spec("leaseDurationSeconds");
    return seconds.canConvertToInt() ? seconds.intValue() : 0;
  }

  /**
   * The lease duration. This agent writes it twice, in the spec and in {@link #LENGTH}. An edit of
   * the spec field neither shortens the holder's lease nor extends it beyond the longest lease of
   * this election, because the holder does not see the edit.
   */
  private Duration length(Duration longestOfAll) {
    Duration inSpec = seconds() > 0 ? Duration.ofSeconds(seconds()) : longestOfAll;
    Duration annotated = annotatedDuration();
    Duration limit = annotated.isZero() ? MAX_LEASE_DURATION : longer(annotated, longestOfAll);
    Duration length = longer(annotated, inSpec.compareTo(limit) < 0 ? inSpec : limit);
    return length.compareTo(MAX_LEASE_DURATION) < 0 ? length : MAX_LEASE_DURATION;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** The lease duration in {@link #LENGTH} for the current tenure, zero if there is none. */
  private Duration annotatedDuration() {
    try {
      int seconds = hasCurrentEpoch() ? Integer.parseInt(annotation(LENGTH)) : 0;
      return Duration.ofSeconds(Math.max(0, seconds));
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  private @Nullable Duration groundWait() {
    String[] parts = annotation(GROUND).split(" ", 2);
    try {
      Duration wait = Duration.ofMillis(Long.parseLong(parts[0]));
      return wait.isNegative() || wait.compareTo(MAX_LEASE_DURATION) > 0 ? null : wait;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Identifies one write of the lease. Not the resource version, because labelling the object must
   * not look like a renewal.
   */
  String version() {
    return String.join(
        "/",
        holder(),
        spec("leaseDurationSeconds").asText(),
        text(spec("acquireTime")),
        text(spec("renewTime")),
        annotation(GROUND));
  }

  private JsonNode spec(String field) {
    return json.path("spec").path(field);
  }

  private String annotation(String name) {
    return text(json.path("metadata").path("annotations").path(name));
  }

  private static String text(JsonNode node) {
    return node.isTextual() ? node.textValue() : "";
  }
}
