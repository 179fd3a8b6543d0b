package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.blank;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.ground;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByA;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByGo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How each form of a Lease is read. */
class LeaseDocumentTest {
  private static final Duration IF_UNSAID = Duration.ofSeconds(40);
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration YEAR = Duration.ofDays(365);

  private static LeaseRecord record(LeaseJsonBuilder sketch) {
    return sketch.document().record(IF_UNSAID);
  }

  private static List<LeaseJsonBuilder> cleared(LeaseJsonBuilder... sketches) {
    return List.of(sketches);
  }

  @Test
  void ownFormIsReadCompletely() {
    LeaseDocument held = heldByA().document();

    RecordVersion stamp = new RecordVersion(LeaseJsonBuilder.UID, "a", 41, held.version());
    assertThat(held.record(IF_UNSAID))
        .isEqualTo(new LeaseRecord(stamp, "http://a:8080", LEASE, LEASE, false));
    assertThat(held.election()).isEqualTo("orders/writer");
    assertThat(held.transitions()).isEqualTo(3);
    assertThat(held.renewTime()).isEqualTo(Instant.parse(LeaseJsonBuilder.RENEWED));
    assertThat(held.hasCurrentEpoch()).isTrue();
  }

  @Test
  void releasedLeaseNamesItsLastHolderAndEpoch() {
    for (LeaseJsonBuilder sketch :
        cleared(heldByA().spec("holderIdentity", null), heldByA().spec("holderIdentity", ""))) {
      LeaseRecord released = record(sketch.spec("leaseDurationSeconds", 1));

      assertThat(released.released()).isTrue();
      assertThat(released.holder()).isEqualTo("a");
      assertThat(released.epoch()).isEqualTo(41);
    }
  }

  @Test
  void holderClearedByHandIsWaitedOut() {
    for (LeaseJsonBuilder sketch :
        cleared(heldByA().spec("holderIdentity", null), heldByA().spec("holderIdentity", ""))) {
      LeaseRecord shown = record(sketch);

      assertThat(shown.isHeldBy("a", 41)).isTrue();
      assertThat(shown.lease()).isEqualTo(LEASE);
    }
  }

  @Test
  void lengthOfOneSecondWithAHolderIsNoRelease() {
    assertThat(record(heldByA().spec("leaseDurationSeconds", 1)).isHeldBy("a", 41)).isTrue();
    assertThat(record(heldByGo().spec("leaseDurationSeconds", 1)).isHeldBy("go", 4)).isTrue();
  }

  @Test
  void initialRecordHasNoHolderAndSetsTheWait() {
    LeaseRecord shown = record(ground());

    assertThat(shown.recordVersion())
        .isEqualTo(new RecordVersion(LeaseJsonBuilder.UID, "", 1700000000, "2500 mark"));
    assertThat(shown.lease()).isEqualTo(Duration.ofMillis(2500));
    assertThat(shown.isNone()).isFalse();
    assertThat(shown.released()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "soon mark", "-1 mark", "99999999999999 mark"})
  void unreadableInitialRecordIsWaitedOutInFull(String text) {
    LeaseRecord shown = record(ground().note(LeaseDocument.GROUND, text));

    assertThat(shown.holder()).isEmpty();
    assertThat(shown.isNone()).isFalse();
    assertThat(shown.lease()).isEqualTo(IF_UNSAID);
    assertThat(shown.epoch()).isGreaterThan(1700000000);
  }

  @Test
  void tenureOfAnotherProgramIsItsTransitionCount() {
    LeaseRecord held = record(heldByGo());

    assertThat(held.isHeldBy("go", 4)).isTrue();
    assertThat(held.address()).isNull();
    assertThat(held.lease()).isEqualTo(LEASE);
  }

  @Test
  void bothReleaseFormsOfOtherProgramsAreReleases() {
    for (LeaseJsonBuilder sketch :
        cleared(heldByGo().spec("holderIdentity", null), heldByGo().spec("holderIdentity", ""))) {
      LeaseRecord released = record(sketch.spec("leaseDurationSeconds", 1));

      assertThat(released.released()).isTrue();
      assertThat(released.holder()).isNotEmpty();
      assertThat(released.epoch()).isEqualTo(4);
    }
  }

  @Test
  void otherProgramClearedByHandIsWaitedOut() {
    LeaseRecord shown = record(heldByGo().spec("holderIdentity", ""));

    assertThat(shown.isNone()).isFalse();
    assertThat(shown.released()).isFalse();
    assertThat(shown.lease()).isEqualTo(LEASE);
  }

  @Test
  void tenureOfAnotherProgramGetsAHigherEpoch() {
    LeaseJsonBuilder after = heldByA().spec("holderIdentity", "go").spec("leaseTransitions", 4);

    assertThat(record(after).isHeldBy("go", 42)).isTrue();
    assertThat(record(after).address()).isNull();
    after.spec("holderIdentity", "").spec("leaseDurationSeconds", 1);
    assertThat(record(after).released()).isTrue();
    assertThat(record(after).epoch()).isEqualTo(42);
    assertThat(record(after).holder()).isNotEqualTo("a");
  }

  @Test
  void ownNameWrittenByAnotherProgramIsAnotherTenure() {
    assertThat(record(heldByA().spec("leaseTransitions", 4)).isHeldBy("a", 42)).isTrue();
  }

  @Test
  void holderSetByHandIsLaterThanTheOwnEpoch() {
    assertThat(record(heldByA().spec("holderIdentity", "by-hand")).isHeldBy("by-hand", 42))
        .isTrue();
  }

  @Test
  void transitionCountAboveTheEpochIsUsed() {
    LeaseJsonBuilder after = heldByA().spec("holderIdentity", "go").spec("leaseTransitions", 90);

    assertThat(record(after).epoch()).isEqualTo(91);
    assertThat(record(heldByGo().spec("leaseTransitions", Integer.MAX_VALUE)).epoch())
        .isEqualTo(Integer.MAX_VALUE + 1L);
  }

  @Test
  void objectCreatedByAnyoneElseGivesNoInformation() {
    LeaseJsonBuilder labelled = blank().note("team", "orders").spec("leaseDurationSeconds", 15);

    assertThat(record(blank())).isEqualTo(LeaseRecord.none(LeaseJsonBuilder.UID));
    assertThat(record(labelled)).isEqualTo(LeaseRecord.none(LeaseJsonBuilder.UID));
    assertThat(record(blank().spec("renewTime", "garbage")).isNone()).isFalse();
    assertThat(record(blank().spec("acquireTime", LeaseJsonBuilder.ACQUIRED)).isNone()).isFalse();
    assertThat(record(blank().spec("leaseTransitions", 1)).isNone()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0", "-7", "4.5", "9223372036854775807", "1e3"})
  void invalidEpochCountsAsMissing(String epoch) {
    LeaseJsonBuilder sketch = heldByA().note(LeaseDocument.EPOCH, epoch);

    assertThat(sketch.document().hasCurrentEpoch()).isFalse();
    assertThat(record(sketch).isHeldBy("a", 4)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "03", "2", "-3"})
  void epochWithoutItsTenureBelongsToAnEarlierOne(String tenure) {
    assertThat(record(heldByA().note(LeaseDocument.TENURE, tenure)).isHeldBy("a", 42)).isTrue();
  }

  static List<Object> garbage() {
    return List.of("", "garbage", 5, -5, 1.5e300, true, List.of(1), 99_999_999_999L, "2026-13-77");
  }

  @ParameterizedTest
  @MethodSource("garbage")
  void invalidFieldsNeitherFailNorFreeTheLease(Object value) {
    for (String field :
        List.of("leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions")) {
      assertHeldByA(heldByA().spec(field, value));
      assertThat(record(heldByGo().spec(field, value)).isHeld()).isTrue();
      assertThat(record(ground().spec(field, value)).released()).isFalse();
    }
    for (String note : List.of(LeaseDocument.EPOCH, LeaseDocument.TENURE, LeaseDocument.HOLDER)) {
      assertHeldByA(heldByA().note(note, value));
    }
    assertThat(record(heldByA().spec("holderIdentity", value)).isHeld()).isTrue();
    assertThat(record(heldByGo().spec("holderIdentity", value)).released()).isFalse();
    assertThat(heldByA().renewed("2026-02-30T00:00:00Z").document().renewTime()).isNull();
  }

  private static void assertHeldByA(LeaseJsonBuilder sketch) {
    LeaseRecord shown = record(sketch);
    assertThat(shown.isHeld()).isTrue();
    assertThat(shown.holder()).isEqualTo("a");
    assertThat(shown.lease()).isPositive();
  }

  @Test
  void emptyObjectIsRead() {
    LeaseDocument empty = new LeaseDocument(JsonNodeFactory.instance.objectNode());

    assertThat(empty.record(IF_UNSAID)).isEqualTo(LeaseRecord.none(""));
    assertThat(empty.resourceVersion()).isEmpty();
  }

  @Test
  void invalidLengthsAreReplacedAndHugeOnesLimited() {
    for (Object unsaid : List.of(0, -15, Integer.MIN_VALUE, "15", true)) {
      assertThat(record(heldByA().spec("leaseDurationSeconds", unsaid)).lease())
          .isEqualTo(IF_UNSAID);
    }
    assertThat(record(heldByA().spec("leaseDurationSeconds", null)).lease()).isEqualTo(IF_UNSAID);
    assertThat(record(heldByA().spec("leaseDurationSeconds", Integer.MAX_VALUE)).lease())
        .isEqualTo(YEAR);
  }

  @Test
  void onlyAWriteOfTheLeaseChangesTheVersion() {
    String version = heldByA().document().version();

    assertThat(heldByA().version("8").note("team", "orders").document().version())
        .isEqualTo(version);
    assertThat(
            List.of(
                heldByA().spec("holderIdentity", "b"),
                heldByA().spec("leaseDurationSeconds", 16),
                heldByA().spec("acquireTime", LeaseJsonBuilder.RENEWED),
                heldByA().renewed(LeaseJsonBuilder.ACQUIRED),
                heldByA().note(LeaseDocument.GROUND, "0 mark")))
        .extracting(sketch -> sketch.document().version())
        .doesNotContain(version)
        .doesNotHaveDuplicates();
  }

  @Test
  void editedDurationStaysWithinTheHoldersBounds() {
    LeaseJsonBuilder noted = heldByA().note(LeaseDocument.LENGTH, "15");
    Duration longest = Duration.ofSeconds(40);

    assertThat(lengthOf(noted.spec("leaseDurationSeconds", 15), longest)).isEqualTo(15);
    assertThat(lengthOf(noted.spec("leaseDurationSeconds", 1), longest)).isEqualTo(15);
    assertThat(lengthOf(noted.spec("leaseDurationSeconds", 30), longest)).isEqualTo(30);
    assertThat(lengthOf(noted.spec("leaseDurationSeconds", 3600), longest)).isEqualTo(40);
    assertThat(lengthOf(noted.spec("leaseDurationSeconds", 3600), Duration.ofSeconds(5)))
        .isEqualTo(15);
    assertThat(lengthOf(noted.spec("leaseDurationSeconds", null), longest)).isEqualTo(40);
  }

  private static long lengthOf(LeaseJsonBuilder lease, Duration longestOfAll) {
    return lease.document().record(longestOfAll).lease().toSeconds();
  }
}
