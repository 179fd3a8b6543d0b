package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.Memory;
import io.portcullis.election.machine.Memory.EpochMemory;
import io.portcullis.election.machine.Memory.LeaderMemory;
import io.portcullis.election.machine.Memory.RequestMemory;
import io.portcullis.election.machine.Memory.StoreMemory;
import io.portcullis.election.machine.ObservedRecord;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatMonitorTest {
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Leader OTHER = new Leader("b-2-y", null, 7);
  private static final LogSuffix SUFFIX = new LogSuffix(" scope_key=42");

  private final HeartbeatMonitor monitor =
      new HeartbeatMonitor(
          config(Timing.builder().lease(LEASE).stale(Duration.ofSeconds(30)).build()), SUFFIX);
  private final LogCapture lines = LogCapture.holding("election=monitored ");

  @AfterEach
  void close() {
    lines.close();
  }

  private static ElectionConfig config(Timing timing) {
    return new ElectionConfig("orders", "monitored", "a-1-x", null, timing);
  }

  private static Memory remembering(
      long highestEpoch, @Nullable Leader lastLeader, long seenEpoch, boolean released) {
    RecordVersion recordVersion = new RecordVersion("incarnation", "b-2-y", seenEpoch, "v");
    ObservedRecord observed =
        new ObservedRecord(
            new LeaseRecord(recordVersion, null, LEASE, LEASE, released), 0, LEASE, true);
    return new Memory(
        new EpochMemory(highestEpoch, 0),
        new StoreMemory(LEASE, "incarnation", null, observed),
        new LeaderMemory(null, lastLeader),
        new RequestMemory(1, 0));
  }

  private static Memory following() {
    return remembering(7, OTHER, 7, false);
  }

  private static long second(long number) {
    return Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10) + TimeUnit.SECONDS.toNanos(number);
  }

  @Test
  void staleHeartbeatIsLoggedOnce() {
    monitor.look(false, following(), second(0), second(30));
    assertThat(monitor.isStale()).isFalse();

    monitor.look(false, following(), second(0), second(31));
    monitor.look(false, following(), second(0), second(32));

    assertThat(monitor.isStale()).isTrue();
    assertThat(lines.list())
        .containsExactly(
            "WARN portcullis election=monitored node=a-1-x epoch=7 heartbeat is stale leader=b-2-y"
                + " age=31s scope_key=42");
  }

  @Test
  void freshHeartbeatIsLoggedOnce() {
    monitor.look(false, following(), second(0), second(31));

    monitor.look(false, following(), second(40), second(41));
    monitor.look(false, following(), second(40), second(42));

    assertThat(monitor.isStale()).isFalse();
    assertThat(lines.list())
        .hasSize(2)
        .last()
        .isEqualTo(
            "INFO portcullis election=monitored node=a-1-x epoch=7 heartbeat is fresh again"
                + " leader=b-2-y age=1s scope_key=42");
  }

  @Test
  void nothingIsStaleBeforeTheFirstHeartbeat() {
    monitor.look(false, following(), null, second(1_000));

    assertThat(monitor.isStale()).isFalse();
  }

  @Test
  void leaderExpectsNoHeartbeat() {
    monitor.look(true, following(), second(0), second(31));

    assertThat(monitor.isStale()).isFalse();
    assertThat(lines.list()).isEmpty();
  }

  @Test
  void noHeartbeatIsExpectedAfterARelease() {
    monitor.look(false, remembering(7, OTHER, 7, true), second(0), second(31));

    assertThat(monitor.isStale()).isFalse();
    assertThat(lines.list()).isEmpty();
  }

  @Test
  void lateReleaseEndsTheWaitButIsNotFresh() {
    monitor.look(false, following(), second(0), second(31));

    monitor.look(false, remembering(7, OTHER, 7, true), second(0), second(32));

    assertThat(monitor.isStale()).isFalse();
    assertThat(lines.list()).hasSize(2).last().asString().contains("INFO", "is no longer expected");
  }

  @Test
  void releaseBeforeTheOwnTenureIsIgnored() {
    Leader self = new Leader("a-1-x", null, 8);

    monitor.look(false, remembering(8, self, 7, true), second(0), second(31));

    assertThat(monitor.isStale()).isTrue();
    assertThat(lines.list()).singleElement().asString().contains("epoch=8", "leader=a-1-x");
  }

  @Test
  void leaderNeverAnnouncedIsLoggedAsUnknown() {
    monitor.look(false, remembering(7, null, 7, false), second(0), second(31));

    assertThat(lines.list()).singleElement().asString().contains("epoch=7", "leader=unknown");
  }

  @Test
  void withoutAStaleLimitNothingIsStale() {
    HeartbeatMonitor unlimited =
        new HeartbeatMonitor(config(Timing.builder().lease(LEASE).build()), SUFFIX);

    unlimited.look(false, following(), second(0), second(1_000_000));

    assertThat(unlimited.isStale()).isFalse();
  }
}
