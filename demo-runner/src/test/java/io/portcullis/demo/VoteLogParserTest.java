package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VoteLogParserTest {
  private static final String PREFIX =
      "2026-01-01T10:00:00.000Z portcullis election=ledger node=a-1";

  @Test
  void memberVotesOnceItsLogSaysSo() {
    assertThat(
            VoteLogParser.inLog(
                "ledger",
                Stream.of(
                    PREFIX + " does not vote why=\"this member has just started\"",
                    PREFIX + " votes level=info")))
        .isTrue();
  }

  @Test
  void memberThatLogsAReasonDoesNotVote() {
    assertThat(
            VoteLogParser.inLog(
                "ledger", Stream.of(PREFIX + " does not vote why=\"it never votes\"")))
        .isFalse();
  }

  @Test
  void voteInAnotherElectionDoesNotCount() {
    assertThat(VoteLogParser.inLog("cron", Stream.of(PREFIX + " votes"))).isFalse();
  }
}
