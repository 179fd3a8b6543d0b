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
 * One version of the Lease object, and what it says. Reads whatever is there: a field that can't be
 * right counts as not said. No grant follows an epoch that can't be right, see {@link
 * LeaseEdits.LeaseRepairMessages}.
 *
 * <p>The annotations speak of the tenure whose count of transitions they name. If the object has
 * another count, a program that does not know them has led since.
 */
final class LeaseDocument {
  static final String EPOCH = "portcullis.io/epoch";
  static final String HOLDER = "portcullis.io/holder";
  static final String TENURE = "portcullis.io/tenure";
  static final String ADDRESS = "portcullis.io/address";

  /** The length of the newest tenure in seconds, until its holder lets go. */
  static final String LENGTH = "portcullis.io/length";

  static final String ELECTION = "portcullis.io/election";

  /**
   * Who would lead rather than the holder; written by a standby, see {@link
   * LeaseEdits#priorityRequest}.
   */
  static final String PRIORITY_REQUEST = "portcullis.io/wish";

  /** For whom the last holder has let go; the others leave it the first try. */
  static final String HEIR = "portcullis.io/heir";

  /** Nobody has led yet; its text is how long to wait, in milliseconds, and a mark of its own. */
  static final String GROUND = "portcullis.io/ground";

  /** The length that client-go writes when it lets go. */
  static final int RELEASED_SECONDS = 1;

  /** Stands for a holder that let go without leaving its name. */
  private static final String ANOTHER_PROGRAM = "(another program)";

  private static final Duration MAX_LEASE_DURATION = Duration.ofDays(365);

  private final ObjectNode json;

  LeaseDocument(ObjectNode json) {
    this.json = json;
  }

  /** A copy to be changed. */
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

  /** Whose election it is, as service/election; empty if it does not say. */
  String election() {
    return annotation(ELECTION);
  }

  /** A standby's wish, empty if there is none. */
  String priorityRequest() {
    return annotation(PRIORITY_REQUEST);
  }

  /** True if the newest holder has let go for another node than this one. */
  boolean isReservedForAnotherThan(String node) {
    String left = annotation(HEIR);
    return isReleased()
        && hasCurrentEpoch()
        && left.startsWith(heir(""))
        && !left.equals(heir(node));
  }

  /** What is noted in {@link #HEIR} by whoever lets go for this node, under the present epoch. */
  String heir(String node) {
    return annotatedEpoch() + " " + node;
  }

  /** The holder as the object names it, empty if it names none. */
  String holder() {
    return text(spec("holderIdentity"));
  }

  int transitions() {
    JsonNode count = spec("leaseTransitions");
    return count.canConvertToInt() ? Math.max(0, count.intValue()) : 0;
  }

  /** When it was last written, by the writer's wall clock; null if that can't be read. */
  @Nullable Instant renewTime() {
    try {
      return OffsetDateTime.parse(text(spec("renewTime"))).toInstant();
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** True if the epoch in the annotations is that of the newest tenure. */
  boolean hasCurrentEpoch() {
    return annotatedEpoch() > 0 && annotation(TENURE).equals(Integer.toString(transitions()));
  }

  /** True if the newest tenure was granted to this node: a holder written by hand got no grant. */
  boolean isGrantedTo(String node) {
    return hasCurrentEpoch() && annotation(HOLDER).equals(node);
  }

  /**
   * Checks the epochs in it; to be called before the next epoch is derived from them.
   *
   * @param unixSecond the present time
   * @throws EpochRangeException if the annotation is there and can't be right
   */
  void checkEpoch(long unixSecond) {
    JsonNode told = json.path("metadata").path("annotations").path(EPOCH);
    if (!told.isMissingNode()
        && !told.isNull()
        && (annotatedEpoch() == 0 || annotatedEpoch() > EpochRange.highestAt(unixSecond))) {
      throw EpochRangeException.implausible(told.asText());
    }
  }

  /** The value of the count of transitions if it is not a valid count; otherwise null. */
  @Nullable String wrongTransitions() {
    JsonNode count = spec("leaseTransitions");
    boolean said = !count.isMissingNode() && !count.isNull();
    boolean right = count.isIntegralNumber() && count.canConvertToInt() && count.intValue() >= 0;
    return said && !right ? count.toString() : null;
  }

  private long annotatedEpoch() {
    try {
      return EpochRange.parse(annotation(EPOCH));
    } catch (EpochRangeException e) {
      return 0;
    }
  }

  /**
   * What the election is told.
   *
   * @param longestOfAll the longest lease of any node; assumed where the object names none
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
    // Another program's tenure, or one named by hand: later than all that the annotations tell of.
    long told = Math.max(annotatedEpoch(), transitions());
    long epoch = Math.min(Math.addExact(told, 1), EpochRange.MAX_EPOCH);
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

  /** Made by somebody who only wanted it to be there. */
  private boolean isBlank() {
    return holder().isEmpty()
        && annotatedEpoch() == 0
        && text(spec("renewTime")).isEmpty()
        && text(spec("acquireTime")).isEmpty()
        && transitions() == 0;
  }

  /**
   * Only in this form has the holder itself let go: one cleared by hand runs out like any other. A
   * holder that notes its length takes the note back too.
   */
  private boolean isReleased() {
    return holder().isEmpty() && seconds() == RELEASED_SECONDS && annotatedDuration().isZero();
  }

  private int seconds() {
    JsonNode seconds = spec("leaseDurationSeconds");
    return seconds.canConvertToInt() ? seconds.intValue() : 0;
  }

  /**
   * A holder that notes its length writes it twice. An edit of the field neither shortens its right
   * nor makes it longer than any lease of this election: the holder knows nothing of it.
   */
  private Duration length(Duration longestOfAll) {
    Duration said = seconds() > 0 ? Duration.ofSeconds(seconds()) : longestOfAll;
    Duration noted = annotatedDuration();
    Duration most = noted.isZero() ? MAX_LEASE_DURATION : longer(noted, longestOfAll);
    Duration length = longer(noted, said.compareTo(most) < 0 ? said : most);
    return length.compareTo(MAX_LEASE_DURATION) < 0 ? length : MAX_LEASE_DURATION;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** The length that the newest tenure's holder has noted, zero if none. */
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
   * Tells one write of the lease from another. Not the resource version: somebody who labels the
   * object must not make it look renewed.
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
