package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ElectionGateTest {
  private final GateFixture gated = GateFixture.throwing();
  private final ElectionGate gate = gated.election();

  @Test
  void newGateIsShutAndKnowsNoLeader() {
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.epoch()).isZero();
    assertThat(gate.leaseRemainingNanos()).isZero();
    assertThat(gate.leader()).isNull();
    assertThat(gate.leaderAddress()).isNull();
    assertThat(gate.callsInFlight()).isZero();
  }

  @Test
  void renewalExtendsTheDeadline() {
    gated.openFor(1, 7);

    gated.openFor(3, 7);

    assertThat(gate.isOpen()).isTrue();
    assertThat(gate.epoch()).isEqualTo(7);
    assertThat(gate.leaseRemainingNanos())
        .isBetween(TimeUnit.HOURS.toNanos(2), TimeUnit.HOURS.toNanos(3));
  }

  @Test
  void expiredLeaseLeavesNoLeader() {
    gated.openFor(-1);

    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.leaseRemainingNanos()).isZero();
  }

  @Test
  void shutGateRemembersTheHighestEpoch() {
    gated.openFor(1, 7);
    gate.shut();

    assertThat(gate.epoch()).isEqualTo(7);

    gate.leaderSeen("b", null, 9);

    assertThat(gate.epoch()).isEqualTo(9);
  }

  @Test
  void higherEpochSeenElsewhereShutsAnOpenGate() {
    gated.openFor(1, 7);

    gate.leaderSeen("b", null, 9);

    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.epoch()).isEqualTo(9);
  }

  @Test
  void shutGateDoesNotNameItsOwnNodeAsLeader() {
    gated.openFor(1, 7);
    gate.leaderSeen("self", "http://self", 7);
    assertThat(gate.leader()).isEqualTo("self");

    gate.shut();

    assertThat(gate.leader()).isNull();
    assertThat(gate.leaderAddress()).isNull();
  }

  @Test
  void expiredPermitDoesNotNameItsOwnNodeAsLeader() {
    gated.openFor(-1, 7);
    gate.leaderSeen("self", "http://self", 7);

    assertThat(gate.leader()).isNull();
  }

  @Test
  void openingBelowAHeldEpochShutsAndNamesBoth() {
    gated.openFor(1, 7);

    assertThatThrownBy(() -> gated.openFor(1, 6))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("epoch 6")
        .hasMessageContaining("epoch 7")
        .hasMessageContaining(gate.name());
    assertThat(gate.isOpen()).isFalse();
  }

  @Test
  void openingBelowAnEpochSeenElsewhereShuts() {
    gated.openFor(1, 7);
    gate.leaderSeen("b", null, 8);

    assertThatThrownBy(() -> gated.openFor(1, 7)).isInstanceOf(AssertionError.class);
    assertThat(gate.isOpen()).isFalse();
  }

  @Test
  void shutGateMayReopenUnderTheSameEpoch() {
    gated.openFor(1, 7);
    gate.shut();

    gated.openFor(1, 7);

    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void outdatedLeaderInfoChangesNothing() {
    gate.leaderSeen("b", "http://b", 8);

    gate.leaderSeen("a", "http://a", 7);

    assertThat(gate.leader()).isEqualTo("b");
    assertThat(gate.leaderAddress()).isEqualTo("http://b");
    assertThat(gate.epoch()).isEqualTo(8);
  }

  @Test
  void earlierLeaderIsForgottenWhenTheGateOpens() {
    gate.leaderSeen("b", "http://b", 8);

    gated.openFor(1, 9);

    assertThat(gate.leader()).isNull();
  }
}
