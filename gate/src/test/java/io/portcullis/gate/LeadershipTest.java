package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LeadershipTest {
  private final GateFixture gated = GateFixture.throwing();
  private final String election = gated.election().name();

  @Test
  void isActiveOnceAnElectionIsInstalled() {
    assertThat(Leadership.active()).isTrue();
  }

  @Test
  void nodeWithTheOpenGateIsLeader() {
    assertThat(Leadership.isLeader(election)).isFalse();

    gated.openFor(1, 7);

    assertThat(Leadership.isLeader(election)).isTrue();
    assertThat(Leadership.requireLeader(election)).isEqualTo(7);
    assertThat(Leadership.epoch(election)).isEqualTo(7);
  }

  @Test
  void leadershipEndsWithTheDeadline() {
    gated.openFor(-1, 7);

    assertThat(Leadership.isLeader(election)).isFalse();
    assertThatThrownBy(() -> Leadership.requireLeader(election))
        .isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(() -> Leadership.ensureEpoch(election, 7))
        .isInstanceOf(NotLeaderException.class);
  }

  @Test
  void standbyKnowsTheLeader() {
    gated.election().leaderSeen("b", "http://b", 8);

    assertThat(Leadership.leader(election)).isEqualTo("b");
    assertThat(Leadership.epoch(election)).isEqualTo(8);
    assertThatThrownBy(() -> Leadership.requireLeader(election))
        .isInstanceOfSatisfying(
            NotLeaderException.class, refused -> assertThat(refused.rule()).isNull())
        .hasMessageStartingWith(
            "This node does not lead election '%s'; the call was refused. The leader last seen is"
                + " b, at http://b,",
            election);
  }

  @Test
  void epochOfTheOpenGateIsEnsured() {
    gated.openFor(1, 7);

    assertThatCode(() -> Leadership.ensureEpoch(election, 7)).doesNotThrowAnyException();
  }

  @Test
  void workOfAnEarlierEpochIsRefusedEvenOnTheLeader() {
    gated.openFor(1, 7);

    assertThatThrownBy(() -> Leadership.ensureEpoch(election, 6))
        .isInstanceOf(NotLeaderException.class)
        .hasMessageStartingWith(
            "This node does not lead election '%s' under epoch 6; the call was refused.", election);
  }

  @Test
  void unknownElectionErrorNamesTheKnownElections() {
    assertThatThrownBy(() -> Leadership.isLeader("wirter"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("There is no election 'wirter'")
        .hasMessageContaining(election);
    assertThatThrownBy(() -> Leadership.epoch("wirter"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Leadership.leader("wirter"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Leadership.requireLeader("wirter"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Leadership.ensureEpoch("wirter", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
