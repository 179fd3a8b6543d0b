package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole elections while the watch ends, is refused or delivers nothing. */
@Execution(ExecutionMode.CONCURRENT)
class WatchFaultsTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  /** Faults of watches. */
  private interface WatchFault {
    void with(FaultyLeaseFixture site);
  }

  static Stream<Named<WatchFault>> watchFaults() {
    return Stream.of(
        Named.of("refused with 403", site -> site.faults().refuseWatches(403)),
        Named.of("refused with 503", site -> site.faults().refuseWatches(503)),
        Named.of("silent", site -> site.faults().silenceWatches()),
        Named.of(
            "hanging",
            site -> {
              site.faults().set(Fault.hang(), Verb.WATCH);
              site.faults().closeWatches();
            }),
        Named.of(
            "swallowed",
            site -> {
              site.faults().set(Fault.cutReply(), Verb.WATCH);
              site.faults().closeWatches();
            }));
  }

  @ParameterizedTest
  @MethodSource("watchFaults")
  void handOverWithoutAWatchUsesPolling(WatchFault fault) throws Exception {
    try (ContenderPair pair = site.outlastingPair()) {
      long epoch = pair.epoch();
      fault.with(site);

      pair.first().stepDown();
      pair.awaitLeads(pair.second(), epoch);

      long second = pair.second().epoch();
      pair.watchFor(site.timing().renewDeadline());
      assertThat(pair.second().epoch()).isEqualTo(second);
    }
  }

  @ParameterizedTest
  @MethodSource("watchFaults")
  void failOverWithoutAWatchUsesPolling(WatchFault fault) throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      fault.with(site);

      site.isolate("first");

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("watchFaults")
  void watchIsRestored(WatchFault fault) throws Exception {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      fault.with(site);
      for (int i = 0; i < 6; i++) {
        a.release(a.lead()); // So many that even silence is noticed.
        b.look();
      }
      site.faults().heal();

      await()
          .pollInterval(Duration.ofMillis(200))
          .atMost(MAX_WAIT)
          .until(
              () -> {
                int before = b.hints();
                a.release(a.lead());
                await().atMost(MAX_WAIT).pollDelay(Duration.ofMillis(300)).until(() -> true);
                return b.hints() > before;
              });
    }
  }

  @Test
  void silentWatchIsDetectedByLeaderAndStandby() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      site.faults().silenceWatches();
      int first = site.asked("first", Verb.WATCH);
      int second = site.asked("second", Verb.WATCH);

      await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.WATCH) > first);
      await().atMost(MAX_WAIT).until(() -> site.asked("second", Verb.WATCH) > second);

      assertThat(pair.first().isLeader()).isTrue();
    }
  }

  @Test
  void standbyWithoutAWatchReadsTheLeaseAtEachRetry() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      site.faults().refuseWatches(403);
      pair.watchFor(Duration.ofMillis(500));
      long began = System.nanoTime();
      int before = site.asked("second", Verb.GET);

      await().atMost(MAX_WAIT).until(() -> site.asked("second", Verb.GET) >= before + 5);

      int asked = site.asked("second", Verb.GET) - before;
      long retries = since(began).toMillis() / site.timing().renew().toMillis();
      assertThat((long) asked).isLessThanOrEqualTo(2 * retries + 2);
    }
  }

  @Test
  void watchesThatEndConstantlyCauseNoDisturbance() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      for (int i = 0; i < 10; i++) {
        site.faults().closeWatches();
        pair.watchFor(Duration.ofMillis(200));
      }

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
      pair.first().stepDown();
      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void watchesThatExpireAtOnceAreRestartedWithBackoff() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      site.faults().expireWatches();
      long began = System.nanoTime();
      int before = site.asked("second", Verb.WATCH);

      await().atMost(MAX_WAIT).until(() -> site.asked("second", Verb.WATCH) >= before + 5);

      int begun = site.asked("second", Verb.WATCH) - before;
      assertThat((long) begun).isLessThanOrEqualTo(2 * since(began).toSeconds() + 6);
      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void watchEventsOfOtherLeasesAreIgnored() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      int watches = site.asked("first", Verb.WATCH);
      site.faults().ignoreSelectors();
      await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.WATCH) > watches);
      ObjectNode spec = site.spec().put("holderIdentity", "of another election");

      for (int i = 0; i < 5; i++) {
        site.leases().create("another-" + i, spec.deepCopy());
        pair.watchFor(Duration.ofMillis(200));
        site.leases().delete("another-" + i);
      }

      pair.watchFor(site.timing().renewDeadline());
      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
      assertThat(pair.second().leader()).isEqualTo(Optional.of("first"));
    }
  }

  @Test
  void watchWithAnExpiredStartVersionStartsAgain() {
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      a.release(a.lead());
      b.look();
      site.leases().create("unrelated", site.spec()); // The server's version increases.
      site.server().forgetHistory();
      int watches = site.asked("b", Verb.WATCH);
      site.faults().closeWatches();
      await().atMost(MAX_WAIT).until(() -> site.asked("b", Verb.WATCH) > watches + 1);
      await().atMost(MAX_WAIT).pollDelay(Duration.ofMillis(500)).until(() -> true);
      int before = b.hints();

      a.release(a.lead());

      await().atMost(MAX_WAIT).until(() -> b.hints() > before);
    }
  }
}
