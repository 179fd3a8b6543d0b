package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
  private final GateFixture gated = GateFixture.throwing();

  @Test
  void gateThatWasNeverOpenedRefuses() {
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(gated::check).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void openGateAdmitsCalls() {
    gated.openFor(1);

    assertThat(gated.enter()).isFalse();
    assertThat(gated.check()).isFalse();
  }

  @Test
  void gateWhoseDeadlineHasPassedRefuses() {
    gated.openFor(-1);

    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(gated::check).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void gateThatWasShutRefuses() {
    gated.openFor(1);

    gated.election().shut();

    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(gated::check).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void openGateOfOneElectionOpensNoOther() {
    GateFixture other = GateFixture.throwing();

    other.openFor(1);

    assertThat(other.enter()).isFalse();
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void rulesOfAnElectionShareOnlyItsGate() {
    Checkpoint second =
        Gate.addCheckpoint("second", gated.election(), ThrowNotLeader.WITHOUT_STACK_TRACE);

    gated.openFor(1);

    assertThat(Gate.enter(second.slot())).isFalse();
    assertThat(second.callsInFlight()).isEqualTo(1);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThat(gated.election().callsInFlight()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Gate.MAX_CHECKPOINTS - 1, Gate.MAX_CHECKPOINTS, Integer.MIN_VALUE})
  void slotWithoutARuleRefusesAndNamesItself(int slot) {
    assertThatThrownBy(() -> Gate.enter(slot))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Call refused: no rule is installed at slot %d of the gate.", slot);
    assertThatThrownBy(() -> Gate.check(slot)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void electionCannotBeInstalledTwice() {
    String name = gated.election().name();

    assertThatThrownBy(() -> Gate.addElection(name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Election '%s' has a gate already.", name);
  }

  @Test
  void checkpointReportsItsRuleAndElection() {
    assertThat(gated.checkpoint().id()).startsWith("rule-");
    assertThat(gated.checkpoint().election()).isSameAs(gated.election());
  }
}
