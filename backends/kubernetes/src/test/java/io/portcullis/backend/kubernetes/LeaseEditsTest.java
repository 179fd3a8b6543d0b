package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.blank;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.ground;
import static io.portcullis.backend.kubernetes.LeaseJsonBuilder.heldByA;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The written Lease, field by field. */
class LeaseEditsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:10.987654321Z");
  private static final String NOW_TEXT = "2026-03-04T05:06:10.987654Z";

  private final LeaseEdits edits = new LeaseEdits("shop", "orders-writer", "orders/writer");

  private static Claim claim(long seen) {
    return new Claim("b", "http://b:8080", LEASE, LEASE, seen, null, null, true);
  }

  private static LeaseRecord shown(ObjectNode lease) {
    return new LeaseDocument(lease).record(LEASE);
  }

  private static Map<String, Object> map(JsonNode node) {
    return LeaseApi.JSON.convertValue(
        node,
        LeaseApi.JSON.getTypeFactory().constructMapType(Map.class, String.class, Object.class));
  }

  private static Map<String, Object> spec(ObjectNode lease) {
    return map(lease.path("spec"));
  }

  private static Map<String, Object> notes(ObjectNode lease) {
    return map(lease.path("metadata").path("annotations"));
  }

  private ObjectNode renewal(LeaseJsonBuilder before, Instant now) {
    return edits.renewal(before.document(), LEASE, "http://a:8080", now);
  }

  @Test
  void priorityRequestIsNoRenewalAndEndsWithTheTenure() {
    LeaseDocument before = heldByA().document();
    PriorityRequest request = new PriorityRequest("b", 5, 41, Duration.ofSeconds(60));

    LeaseDocument requested = new LeaseDocument(edits.priorityRequest(before, request));

    assertThat(requested.priorityRequest()).isEqualTo(request.text());
    assertThat(requested.record(LEASE)).isEqualTo(before.record(LEASE));
    assertThat(spec(requested.copy())).isEqualTo(spec(before.copy()));
    assertThat(new LeaseDocument(edits.renewal(requested, LEASE, null, NOW)).priorityRequest())
        .isEqualTo(request.text());
    assertThat(notes(edits.grant(requested, claim(0), 42, NOW)))
        .doesNotContainKey(LeaseDocument.PRIORITY_REQUEST);
  }

  @Test
  void releaseForSuccessorIsReservedUntilTheNextGrant() {
    LeaseDocument plain = new LeaseDocument(edits.release(heldByA().document(), null, NOW));
    LeaseDocument left = new LeaseDocument(edits.release(heldByA().document(), "b", NOW));
    LeaseDocument taken = new LeaseDocument(edits.grant(left, claim(0), 42, NOW));

    assertThat(plain.isReservedForAnotherThan("c")).isFalse();
    assertThat(left.isReservedForAnotherThan("b")).isFalse();
    assertThat(left.isReservedForAnotherThan("c")).isTrue();
    assertThat(left.record(LEASE)).isEqualTo(plain.record(LEASE));
    assertThat(taken.isReservedForAnotherThan("c")).isFalse();
    assertThat(new LeaseDocument(edits.release(taken, null, NOW)).isReservedForAnotherThan("c"))
        .isFalse();
  }

  @Test
  void releaseWithoutSuccessorIsOpenToAll() {
    LeaseDocument left = new LeaseDocument(edits.release(heldByA().document(), "b", NOW));
    LeaseDocument next = new LeaseDocument(edits.grant(left, claim(0), 42, NOW));

    ObjectNode unaware = edits.release(next, null, NOW);
    unaware
        .withObject("/metadata/annotations")
        .put(LeaseDocument.SUCCESSOR, left.successorValue("b"));

    assertThat(new LeaseDocument(unaware).isReservedForAnotherThan("c")).isFalse();
  }

  @Test
  void grantNamesTheHolderAndStartsItsTenure() {
    ObjectNode granted = edits.grant(heldByA().document(), claim(0), 42, NOW);

    assertThat(spec(granted))
        .isEqualTo(
            Map.of(
                "holderIdentity",
                "b",
                "leaseDurationSeconds",
                15,
                "acquireTime",
                NOW_TEXT,
                "renewTime",
                NOW_TEXT,
                "leaseTransitions",
                4));
    assertThat(notes(granted))
        .isEqualTo(
            Map.of(
                LeaseDocument.ELECTION, "orders/writer",
                LeaseDocument.EPOCH, "42",
                LeaseDocument.HOLDER, "b",
                LeaseDocument.TENURE, "4",
                LeaseDocument.LENGTH, "15",
                LeaseDocument.ADDRESS, "http://b:8080"));
    assertThat(granted.path("metadata").path("resourceVersion").textValue()).isEqualTo("7");
    assertThat(shown(granted).isHeldBy("b", 42)).isTrue();
  }

  @Test
  void renewalChangesOnlyTimeLengthAndAddress() {
    ObjectNode renewed =
        edits.renewal(heldByA().document(), Duration.ofSeconds(20), "http://new:1", NOW);

    ObjectNode expected =
        heldByA()
            .renewed(NOW_TEXT)
            .spec("leaseDurationSeconds", 20)
            .note(LeaseDocument.ADDRESS, "http://new:1")
            .note(LeaseDocument.LENGTH, "20")
            .document()
            .copy();
    assertThat(renewed).isEqualTo(expected);
  }

  @Test
  void addressThatIsNoLongerSetIsRemoved() {
    ObjectNode renewed = edits.renewal(heldByA().document(), LEASE, null, NOW);

    assertThat(notes(renewed)).doesNotContainKey(LeaseDocument.ADDRESS);
    assertThat(shown(renewed).address()).isNull();
  }

  @Test
  void releaseHasTheFormOfClientGoAndKeepsTheEpoch() {
    ObjectNode released = edits.release(heldByA().document(), null, NOW);

    assertThat(spec(released))
        .isEqualTo(
            Map.of(
                "leaseDurationSeconds",
                1,
                "acquireTime",
                NOW_TEXT,
                "renewTime",
                NOW_TEXT,
                "leaseTransitions",
                3));
    assertThat(notes(released)).isEqualTo(notes(heldByA().document().copy()));
    assertThat(shown(released).released()).isTrue();
  }

  @Test
  void initialRecordIsANewLeaseWithoutAHolder() {
    LeaseRecord record = claim(0).initialRecord("", "mark", NOW.getEpochSecond());

    ObjectNode made = edits.ground(null, record, "mark");

    assertThat(made.path("apiVersion").textValue()).isEqualTo("coordination.k8s.io/v1");
    assertThat(made.path("kind").textValue()).isEqualTo("Lease");
    assertThat(made.path("metadata").path("namespace").textValue()).isEqualTo("shop");
    assertThat(made.path("metadata").path("name").textValue()).isEqualTo("orders-writer");
    assertThat(spec(made)).isEqualTo(Map.of("leaseTransitions", 0));
    assertThat(shown(made).holder()).isEmpty();
    assertThat(shown(made).epoch()).isEqualTo(NOW.getEpochSecond());
    assertThat(shown(made).lease()).isZero();
  }

  @Test
  void initialRecordOfABlankLeaseKeepsTheObject() {
    LeaseRecord record = claim(0).initialRecord(LeaseJsonBuilder.UID, "mark", 5);

    ObjectNode made = edits.ground(blank().note("team", "shop").document(), record, "mark");

    assertThat(new LeaseDocument(made).uid()).isEqualTo(LeaseJsonBuilder.UID);
    assertThat(new LeaseDocument(made).resourceVersion()).isEqualTo("7");
    assertThat(notes(made)).containsEntry("team", "shop");
    assertThat(shown(made).epoch()).isEqualTo(5);
  }

  @Test
  void grantRemovesInitialRecord() {
    ObjectNode granted = edits.grant(ground().document(), claim(0), 1700000001, NOW);

    assertThat(notes(granted)).doesNotContainKey(LeaseDocument.GROUND);
    assertThat(shown(granted).isHeldBy("b", 1700000001)).isTrue();
  }

  @Test
  void fieldsOfOtherProgramsAreKept() {
    LeaseJsonBuilder sketch =
        heldByA().note("team", "orders").spec("strategy", "x").spec("future", 1);
    ObjectNode before = sketch.document().copy();
    before.withObject("/metadata/labels").put("app", "orders");
    before.withObject("/status").put("phase", "odd");
    LeaseDocument document = new LeaseDocument(before);

    for (ObjectNode written :
        List.of(
            edits.grant(document, claim(0), 42, NOW),
            edits.renewal(document, LEASE, null, NOW),
            edits.release(document, "c", NOW))) {
      assertThat(notes(written)).containsEntry("team", "orders");
      assertThat(spec(written)).containsEntry("strategy", "x").containsEntry("future", 1);
      assertThat(written.path("metadata").path("labels")).isEqualTo(before.at("/metadata/labels"));
      assertThat(written.path("status")).isEqualTo(before.path("status"));
      assertThat(new LeaseDocument(written).uid()).isEqualTo(LeaseJsonBuilder.UID);
    }
    assertThat(document.copy()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-04T05:06:10.987654321Z, 2026-03-04T05:06:10.987654Z", // Later without an adjustment.
    "2026-03-04T05:06:10Z, 2026-03-04T05:06:10.000000Z", // Always six digits.
    "2026-03-04T05:06:08.123456Z, 2026-03-04T05:06:08.123456Z", // Exactly one second later.
    "2026-03-04T05:06:08.123455Z, 2026-03-04T05:06:08.123456Z", // Less than one second later.
    "2026-03-04T01:00:00Z, 2026-03-04T05:06:08.123456Z", // A clock hours behind.
    "1970-01-01T00:00:00Z, 2026-03-04T05:06:08.123456Z"
  })
  void everyWriteIsAtLeastASecondLaterThanTheLast(Instant now, String written) {
    for (ObjectNode lease :
        List.of(
            renewal(heldByA(), now),
            edits.release(heldByA().document(), null, now),
            edits.grant(heldByA().document(), claim(0), 42, now))) {
      assertThat(lease.at("/spec/renewTime").textValue()).isEqualTo(written);
    }
  }

  @Test
  void allWritesUnderAStoppedClockDiffer() {
    LeaseDocument lease = heldByA().document();
    Instant before = Instant.parse(LeaseJsonBuilder.RENEWED);
    for (int i = 0; i < 50; i++) {
      lease = new LeaseDocument(edits.renewal(lease, LEASE, null, Instant.EPOCH));

      assertThat(lease.renewTime()).isEqualTo(before.plusSeconds(1));
      before = before.plusSeconds(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"9999-12-31T23:59:59.999999Z", "+99999-01-01T00:00:00Z", "garbage", ""})
  void timeThatCannotBeRaisedIsReplaced(String written) {
    ObjectNode renewed = renewal(heldByA().renewed(written), NOW);

    assertThat(renewed.at("/spec/renewTime").textValue()).isEqualTo(NOW_TEXT);
  }

  @Test
  void timeYearsAheadIsRaised() {
    ObjectNode renewed = renewal(heldByA().renewed("2200-01-01T00:00:00+01:00"), NOW);

    assertThat(renewed.at("/spec/renewTime").textValue()).isEqualTo("2199-12-31T23:00:01.000000Z");
  }

  @Test
  void transitionsOverflowKeepsTheTenuresEpoch() {
    LeaseJsonBuilder last = heldByA().spec("leaseTransitions", Integer.MAX_VALUE);

    ObjectNode granted = edits.grant(last.document(), claim(0), 5_000_000_000L, NOW);

    assertThat(granted.at("/spec/leaseTransitions").intValue()).isEqualTo(1);
    assertThat(shown(granted).isHeldBy("b", 5_000_000_000L)).isTrue();
  }
}
