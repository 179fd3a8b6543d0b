package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that implausible terms, of other members or of the own election, are not adopted. */
class TermRangeTest {
  private static final long SECOND = 1_800_000_000L;
  private static final long MAX = EpochRange.MAX_EPOCH;

  private static String unknownReason(MachineDriver member) {
    return member.answers().stream()
        .filter(LeaseResponse.Unknown.class::isInstance)
        .map(answer -> ((LeaseResponse.Unknown) answer).why())
        .findFirst()
        .orElse("no unknown response");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, MAX, MAX + 1, 1L << 53, Long.MAX_VALUE})
  void termFarAboveAllOthersIsIgnored(long term) {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).atUnixSecond(SECOND);

    assertThat(member.votesFor(A, term)).isFalse();
    assertThat(member.wouldVoteFor(A, term)).isFalse();
    assertThat(member.promisesTo(A, term, LEASE)).isFalse();
    member.receives(C, new Released(9, term, -1));
    member.acquire().after(ROUND).tick();
    long sequence = member.newest(PreVote.class).sequence();
    member.receives(A, new PreVoteReply(sequence, term, false, C, term, LEASE));
    member.receives(C, new PreVoteReply(sequence, term, false, A, term, LEASE));
    member.acquire().after(ROUND).tick();

    assertThat(member.newest(PreVote.class).term()).isEqualTo(SECOND + 1);
    assertThat(member.onDisk()).isEqualTo(new HardState(4, null, Duration.ZERO));
  }

  @Test
  void epochNoMemberWouldFollowIsReportedNotKept() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).atUnixSecond(SECOND);

    member.acquireAbove(MAX - 1).after(ROUND).tick();

    assertThat(unknownReason(member))
        .contains("epoch " + (MAX - 1), "is too high", MachineDriverBuilder.CLUSTER);
    assertThat(member.sent(PreVote.class)).isEmpty();
    member.acquire().after(ROUND).tick();
    assertThat(member.newest(PreVote.class).term()).isEqualTo(SECOND + 1);
  }

  @Test
  void lastTermIsReportedAndDoesNotOverflow() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(MAX).atUnixSecond(SECOND);

    member.acquire().after(ROUND).tick();

    assertThat(unknownReason(member))
        .contains("Stop all nodes", "rm ballot", MachineDriverBuilder.CLUSTER);
    assertThat(member.sent(PreVote.class)).isEmpty();
    assertThat(member.onDisk()).isEqualTo(new HardState(MAX, null, Duration.ZERO));
  }

  @Test
  void memberWithAbsurdClockDoesNotCampaign() {
    MachineDriver member =
        MachineDriverBuilder.of(3).voterIn(4).atUnixSecond(Long.MAX_VALUE / 1000);

    member.acquire().after(ROUND).tick();

    assertThat(unknownReason(member)).contains("leaves no higher one");
    assertThat(member.sent(PreVote.class)).isEmpty();
  }
}
