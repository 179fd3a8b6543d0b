package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogSuffixTest {
  private static final LogSuffix MARK = new LogSuffix(" scope_key=42");

  private final ElectionConfig config =
      new ElectionConfig("orders", "suffixed", "a-1-x", null, Timing.builder().build());
  private final LogCapture lines = LogCapture.holding("election=suffixed ");

  @AfterEach
  void close() {
    lines.close();
  }

  private void passThrough(LogSuffix mark) {
    TransitionLog log = new TransitionLog(config, mark);
    log.write(
        RoleName.STANDBY, RoleName.LEADER, new ElectionEvent.StartedLeading(7, "lease acquired"));
    log.write(
        RoleName.LEADER,
        RoleName.STANDBY,
        new ElectionEvent.StoppedLeading(7, LossReason.RENEWAL_FAILED, "renewal failed 4 times"));
    log.write(
        RoleName.STANDBY,
        RoleName.STANDBY,
        new ElectionEvent.NewLeader(new Leader("b-2-y", null, 8)));
  }

  private void loseAndFindTheStore(LogSuffix mark) {
    StoreAvailability watch = new StoreAvailability(config, mark, () -> null, 0);
    watch.onAnswer(1, new LeaseResponse.Unknown("no route"), TimeUnit.SECONDS.toNanos(10));
    watch.onAnswer(
        2,
        new LeaseResponse.HeldByOther(LeaseRecord.none("incarnation")),
        TimeUnit.SECONDS.toNanos(11));
  }

  @Test
  void everyTransitionLineEndsWithTheSuffix() {
    passThrough(MARK);

    assertThat(lines.list())
        .containsExactly(
            "INFO portcullis election=suffixed node=a-1-x epoch=7 became leader from=STANDBY"
                + " why=\"lease acquired\" scope_key=42",
            "INFO portcullis election=suffixed node=a-1-x epoch=7 lost leadership from=LEADER"
                + " to=STANDBY why=\"renewal failed 4 times\" scope_key=42",
            "INFO portcullis election=suffixed node=a-1-x epoch=8 new leader leader=b-2-y"
                + " scope_key=42");
  }

  @Test
  void storeOutageLinesEndWithTheSuffix() {
    loseAndFindTheStore(MARK);

    assertThat(lines.list())
        .containsExactly(
            "WARN portcullis election=suffixed node=a-1-x the store does not respond"
                + " why=\"no route\" scope_key=42",
            "INFO portcullis election=suffixed node=a-1-x the store responds again scope_key=42");
  }

  @Test
  void linesWithoutSuffixAreUnchanged() {
    passThrough(LogSuffix.NONE);
    loseAndFindTheStore(LogSuffix.NONE);

    assertThat(lines.list())
        .containsExactly(
            "INFO portcullis election=suffixed node=a-1-x epoch=7 became leader from=STANDBY"
                + " why=\"lease acquired\"",
            "INFO portcullis election=suffixed node=a-1-x epoch=7 lost leadership from=LEADER"
                + " to=STANDBY why=\"renewal failed 4 times\"",
            "INFO portcullis election=suffixed node=a-1-x epoch=8 new leader leader=b-2-y",
            "WARN portcullis election=suffixed node=a-1-x the store does not respond"
                + " why=\"no route\"",
            "INFO portcullis election=suffixed node=a-1-x the store responds again");
  }
}
