package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.servers.kubernetes.Verb;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole elections while a person edits single fields of the Lease. */
@Execution(ExecutionMode.CONCURRENT)
class TamperedFieldsTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  private static Named<Consumer<ObjectNode>> spec(String what, Consumer<ObjectNode> change) {
    return Named.of(what, lease -> change.accept(lease.withObject("/spec")));
  }

  private static Named<Consumer<ObjectNode>> notes(String what, Consumer<ObjectNode> change) {
    return Named.of(what, lease -> change.accept(lease.withObject("/metadata/annotations")));
  }

  private static long epochIn(ObjectNode notes) {
    return Long.parseLong(notes.path(LeaseDocument.EPOCH).asText());
  }

  static Stream<Named<Consumer<ObjectNode>>> lengths() {
    return Stream.of(
        spec("1 s", spec -> spec.put("leaseDurationSeconds", 1)),
        spec("an hour", spec -> spec.put("leaseDurationSeconds", 3600)),
        spec("68 years", spec -> spec.put("leaseDurationSeconds", Integer.MAX_VALUE)),
        spec("none", spec -> spec.remove("leaseDurationSeconds")));
  }

  static Stream<Named<Consumer<ObjectNode>>> times() {
    return Stream.of("0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z", "none")
        .map(
            time ->
                spec(
                    time,
                    spec -> {
                      spec.put("renewTime", time.equals("none") ? null : time);
                      spec.put("acquireTime", time.equals("none") ? null : time);
                    }));
  }

  static Stream<Named<Consumer<ObjectNode>>> memories() {
    return Stream.of(
        notes("no epoch", notes -> notes.remove(LeaseDocument.EPOCH)),
        notes("epoch 1", notes -> notes.put(LeaseDocument.EPOCH, "1")),
        notes(
            "a higher epoch",
            notes -> notes.put(LeaseDocument.EPOCH, Long.toString(epochIn(notes) + 1000))),
        notes("another tenure", notes -> notes.put(LeaseDocument.TENURE, "77")),
        notes("another holder", notes -> notes.put(LeaseDocument.HOLDER, "second")),
        notes("none at all", ObjectNode::removeAll),
        spec("transitions reset", spec -> spec.put("leaseTransitions", 0)),
        spec("no transitions", spec -> spec.remove("leaseTransitions")),
        spec("most transitions", spec -> spec.put("leaseTransitions", Integer.MAX_VALUE)));
  }

  static Stream<Named<Consumer<ObjectNode>>> lengthsAndTimes() {
    return Stream.concat(lengths(), times());
  }

  @ParameterizedTest
  @MethodSource("lengthsAndTimes")
  void leaderRestoresLengthAndTimesAndKeepsLeading(Consumer<ObjectNode> change) throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();

      site.edit(change);
      String edited = site.spec().path("renewTime").asText();
      await()
          .atMost(MAX_WAIT)
          .until(
              () ->
                  site.spec().path("leaseDurationSeconds").asInt() == site.steadyLease().toSeconds()
                      && !site.spec().path("renewTime").asText().equals(edited));
      pair.watchFor(site.timing().renewDeadline());

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  static Stream<Named<Consumer<ObjectNode>>> tooLong() {
    return Stream.of(
        spec("an hour", spec -> spec.put("leaseDurationSeconds", 3600)),
        spec("68 years", spec -> spec.put("leaseDurationSeconds", Integer.MAX_VALUE)),
        notes("an hour, noted", notes -> notes.put(LeaseDocument.LENGTH, "3600")));
  }

  @ParameterizedTest
  @MethodSource("tooLong")
  void removedOverlongLengthDoesNotDelayTheSuccessor(Consumer<ObjectNode> change) throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      int before = site.asked("first", Verb.UPDATE);
      site.edit(change);
      await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.UPDATE) > before + 1);

      site.isolate("first");

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("tooLong")
  void overlongDurationOfCutOffLeaderDelaysNoSuccessor(Consumer<ObjectNode> change)
      throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.edit(change);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void shortenedLengthDoesNotEndACutOffLeadersLease() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.put("leaseDurationSeconds", 1));

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void shortenedLengthMisleadsNoNodeThatStartsLater() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.editSpec(spec -> spec.put("leaseDurationSeconds", 1));
      site.node(pair.watch(), "third");

      await().atMost(MAX_WAIT).until(() -> pair.watch().highestEpoch() > epoch);
      pair.watch().assertSafe();
    }
  }

  @ParameterizedTest
  @MethodSource("times")
  void cutOffLeaderIsWaitedOutWhateverItsTimes(Consumer<ObjectNode> change) throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.edit(change);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void nextEpochIsHigherWhateverTheAnnotations(Consumer<ObjectNode> change) throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.edit(change);

      pair.awaitLeaderAbove(epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void cutOffLeaderIsWaitedOutWhateverTheAnnotations(Consumer<ObjectNode> change) throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.isolate("first");
      site.edit(change);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  private void label(String text) {
    try {
      site.edit(lease -> lease.withObject("/metadata/labels").put("edit", text));
    } catch (KubernetesClientException e) {
      // All connections of a node that is cut off are cut, this one too; the next edit opens
      // another.
    }
  }

  @Test
  void editedLabelsNeitherDisturbNorRenewALeader() throws Exception {
    ScheduledExecutorService editor = Executors.newSingleThreadScheduledExecutor();
    AtomicInteger edits = new AtomicInteger();
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      Future<?> unused =
          editor.scheduleWithFixedDelay(
              () -> label("e" + edits.incrementAndGet()), 0, 100, TimeUnit.MILLISECONDS);

      pair.awaitRenewals(10);
      assertThat(pair.first().epoch()).isEqualTo(epoch);
      site.isolate("first");
      int before = edits.get();
      pair.awaitLeads(pair.second(), epoch);

      await().atMost(MAX_WAIT).until(() -> edits.get() > before);
    } finally {
      editor.shutdownNow();
    }
  }

  @Test
  void wallClocksHoursApartChangeNothing() throws Exception {
    site.setClockError("first", Duration.ofHours(5));
    site.setClockError("second", Duration.ofHours(-7));
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      pair.first().stepDown();
      pair.awaitLeads(pair.second(), epoch);
      long next = pair.epoch();
      await().atMost(MAX_WAIT).until(() -> pair.first().leader().isPresent());
      site.isolate("second");

      pair.awaitLeads(pair.first(), next);
    }
  }
}
