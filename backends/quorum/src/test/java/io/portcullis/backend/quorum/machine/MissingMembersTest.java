package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.D;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.E;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.election.store.LeaseResponse;
import org.junit.jupiter.api.Test;

/** Tests how a member without a majority reports which members are missing. */
class MissingMembersTest {
  @Test
  void memberWithoutConnectionsNamesAllOthers() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(1);

    assertThat(member.outage()).isEqualTo("no majority of the 3 members: no link with a, c");
    assertThat(member.linked(C).outage()).isNull();
  }

  @Test
  void silentAndUnconnectedMembersAreListedSeparately() {
    MachineDriver member = MachineDriverBuilder.of(5).voterIn(1).linked(A).linked(C).linked(D);
    member.acquire().after(ROUND).tick().preVotes(A);

    member.after(2 * ROUND).tick();

    String why = "no majority of the 5 members: no link with e; no response from c, d";
    assertThat(member.answers()).containsExactly(new LeaseResponse.Unknown(why));
    assertThat(member.outage()).isEqualTo(why);
  }

  @Test
  void leaderNamesMembersThatDoNotReplyToHeartbeats() {
    MachineDriver leader = MachineDriverBuilder.of(3).voterIn(1).linked(A).linked(C);
    leader.acquire().after(ROUND).tick().preVotes(A).votes(A).promises(A);
    assertThat(leader.outage()).isNull();

    leader.after(LEASE / 10).renew(2);
    assertThat(leader.outage()).isNull();
    leader.after(ROUND).tick();
    assertThat(leader.outage()).isEqualTo("no majority of the 3 members: no response from a, c");

    leader.unlinked(A).unlinked(C);
    assertThat(leader.outage()).isEqualTo("no majority of the 3 members: no link with a, c");
  }

  @Test
  void formerLeaderStillNamesTheMissingMembers() {
    MachineDriver leader = MachineDriverBuilder.of(3).voterIn(1).linked(A).linked(C);
    leader.acquire().after(ROUND).tick().preVotes(A).votes(A).promises(A);
    leader.unlinked(A).unlinked(C).after(LEASE / 10).renew(2);

    leader.after(LEASE).tick();

    assertThat(leader.answers()).hasOnlyElementsOfType(LeaseResponse.HeldByOther.class).hasSize(1);
    assertThat(leader.outage()).isEqualTo("no majority of the 3 members: no link with a, c");
  }

  @Test
  void memberThatReceivesHeartbeatsReportsNoOutage() {
    MachineDriver member = MachineDriverBuilder.of(5).voterIn(1).linked(E);

    member.receives(E, new Heartbeat(7, 2, LEASE));

    assertThat(member.outage()).isNull();
    assertThat(member.after(LEASE).tick().outage()).contains("no link with a, c, d");
  }

  @Test
  void outageOfTheLastRoundClearsWhenTheCampaignEnds() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(1).linked(A).linked(C);
    member.acquire().after(ROUND).tick().after(2 * ROUND).tick();
    assertThat(member.outage()).contains("no response from a, c");

    member.look();

    assertThat(member.outage()).isNull();
  }
}
