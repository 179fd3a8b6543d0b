package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LoggedTenureTest {

  @Test
  void onlyBecameLeaderLinesOfTheElectionCount() {
    Stream<String> log =
        """
        2026-11-16T04:00:00.001Z portcullis 0.1.0 from /opt/portcullis-agent.jar
        2026-11-16T04:00:01.001Z portcullis election=ledger node=a-4711-9f31 epoch=7 became leader from=STANDBY why="lease acquired"
        2026-11-16T04:00:02.001Z portcullis election=other node=a-4711-9f31 epoch=8 became leader from=STANDBY why="lease acquired"
        2026-11-16T04:00:03.001Z portcullis election=ledger node=a-4711-9f31 epoch=7 lost leadership from=LEADER to=STANDBY why="renewal failed 4 times"
        2026-11-16T04:00:04.001Z portcullis election=ledger node=a-4711-9f31 epoch=9 new leader leader=b-990-11aa
        [main] INFO something else: epoch=10 became leader
        2026-11-16T04:00:05.001Z portcullis election=ledger node=a-4711-9f31 epoch=11 became leader from=STANDBY why="lease acquired"
        """
            .lines();

    assertThat(LoggedTenure.inLog("ledger", "a", log))
        .containsExactly(new LoggedTenure("a", 7), new LoggedTenure("a", 11));
  }
}
