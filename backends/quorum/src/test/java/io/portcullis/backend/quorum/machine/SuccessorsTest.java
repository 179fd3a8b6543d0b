package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import org.junit.jupiter.api.Test;

/** Tests which members a leader of priority 5 in term 2 can name as its successor. */
class SuccessorsTest {
  private static final long HEARTBEAT_INTERVAL = LEASE / 10;
  private static final long MILLI = 1_000_000;

  private final MachineDriver leader = MachineDriverBuilder.of(3).elected().linked(A).linked(C);

  private HeartbeatReply reply(boolean promised, boolean willing, int priority) {
    long sequence = leader.newest(Heartbeat.class).sequence();
    return new HeartbeatReply(sequence, 2, promised, willing, priority);
  }

  /** Sends {@code count} heartbeats; {@code c}, which wants to lead, acknowledges each. */
  private void acknowledgedHeartbeats(int count, int priority) {
    for (int i = 0; i < count; i++) {
      leader
          .after(HEARTBEAT_INTERVAL)
          .renew(2)
          .promises(A)
          .receives(C, reply(true, true, priority));
    }
  }

  @Test
  void promisingAndWillingMemberCanBeNamedSuccessor() {
    leader.receives(A, reply(true, true, 9)).receives(C, reply(true, true, 0));

    assertThat(leader.succession().objections()).containsEntry("a", "").containsEntry("c", "");
    assertThat(leader.releaseTo("c", 2).newest(Released.class).next()).isEqualTo(C);
  }

  @Test
  void unknownMemberIsNotAPreferredSuccessor() {
    leader.receives(A, reply(true, true, 0));

    assertThat(leader.releaseTo("z", 2).newest(Released.class).next()).isEqualTo(A);
  }

  @Test
  void unwillingMemberCannotBeNamedSuccessor() {
    leader.receives(A, reply(true, false, 0)).receives(C, reply(true, true, 0));

    assertThat(leader.succession().objections().get("a")).contains("does not want to lead");
  }

  @Test
  void memberWithoutPromiseCannotBeNamedSuccessor() {
    leader.receives(A, reply(false, true, 0)).receives(C, reply(true, true, 0));

    assertThat(leader.succession().objections().get("a")).contains("does not follow");
  }

  @Test
  void unconnectedMemberIsNeitherNamedNorPreferred() {
    acknowledgedHeartbeats(3, 9);
    assertThat(leader.succession().preferred()).isNotNull();

    leader.unlinked(C);

    assertThat(leader.succession().objections().get("c")).contains("no link");
    assertThat(leader.succession().preferred()).isNull();
  }

  @Test
  void silentMemberCannotBeNamedAsSuccessor() {
    acknowledgedHeartbeats(2, 9);
    for (long passed = 0; passed <= LEASE / 3; passed += HEARTBEAT_INTERVAL) {
      leader.after(HEARTBEAT_INTERVAL).renew(2).promises(A);
    }

    assertThat(leader.succession().objections().get("c")).contains("not acknowledged");
    assertThat(leader.succession().preferred()).isNull();
  }

  @Test
  void higherPriorityIsPreferredSinceFirstAcknowledgement() {
    long before = 1_000 + HEARTBEAT_INTERVAL;

    acknowledgedHeartbeats(4, 6);

    assertThat(leader.succession().preferred()).isEqualTo(new PreferredNode("c", before * MILLI));
  }

  @Test
  void sameOrLowerPriorityIsNeverPreferred() {
    acknowledgedHeartbeats(4, 5);
    assertThat(leader.succession().preferred()).isNull();

    acknowledgedHeartbeats(4, -5);
    assertThat(leader.succession().preferred()).isNull();
  }

  @Test
  void missedAcknowledgementRestartsTheCount() {
    acknowledgedHeartbeats(4, 9);
    PreferredNode first = leader.succession().preferred();
    leader.after(HEARTBEAT_INTERVAL).renew(2).promises(A).receives(C, reply(true, false, 9));
    assertThat(leader.succession().preferred()).isNull();

    acknowledgedHeartbeats(1, 9);

    assertThat(first).isNotNull();
    assertThat(leader.succession().preferred()).isNotNull().isNotEqualTo(first);
  }

  @Test
  void memberThatDoesNotLeadHasNoSuccessor() {
    acknowledgedHeartbeats(2, 9);

    assertThat(leader.release(2).succession()).isEqualTo(Succession.NONE);
  }
}
