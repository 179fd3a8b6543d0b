package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.machine.RoleName;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeViewTest {

  @Test
  void standbyOrUnreachableStoreIsHealthy() {
    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.standby("writer"), NodeViewFixtures.unanswered("reader"))
                .isHealthy())
        .isTrue();
  }

  @Test
  void failedEngineOrRuleIsUnhealthy() {
    NodeView failedRule =
        NodeViewFixtures.node(
            List.of(NodeViewFixtures.leading("writer")),
            List.of(
                NodeViewFixtures.rule("orders", RuleState.ARMED),
                NodeViewFixtures.rule("cron", RuleState.FAILED)));

    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.leading("writer"), NodeViewFixtures.broken("reader"))
                .isHealthy())
        .isFalse();
    assertThat(failedRule.isHealthy()).isFalse();
  }

  @Test
  void participatesAfterAllStoresResponded() {
    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.standby("writer"), NodeViewFixtures.leading("reader"))
                .isParticipating())
        .isTrue();
    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.standby("writer"), NodeViewFixtures.unanswered("reader"))
                .isParticipating())
        .isFalse();
    assertThat(NodeViewFixtures.node(NodeViewFixtures.notCampaigning("writer")).isParticipating())
        .isFalse();
  }

  @Test
  void nodeLeadsOnlyIfItLeadsAllElections() {
    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.leading("writer"), NodeViewFixtures.leading("reader"))
                .mayAct())
        .isTrue();
    assertThat(
            NodeViewFixtures.node(
                    NodeViewFixtures.leading("writer"), NodeViewFixtures.standby("reader"))
                .mayAct())
        .isFalse();
  }

  @Test
  void disabledElectionRefusesAdminCommands() {
    DisabledElection off = new DisabledElection("writer", "redis", false, "mode is off");

    assertThat(off.view().leadership().role()).isEqualTo(RoleName.OFF);
    assertThat(off.view().isLeader()).isFalse();
    assertThatThrownBy(off::stepDown).hasMessageContaining("writer").hasMessageContaining("off");
    assertThatThrownBy(off::resume).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> off.drain(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void showsFiftyNewestTransitionsAndKeepsTwoHundred() {
    TransitionHistory transitions = new TransitionHistory();
    List<Long> heard = new ArrayList<>();
    transitions.addListener(each -> heard.add(each.epoch()));

    for (long epoch = 1; epoch <= 260; epoch++) {
      transitions.add(
          new Transition(
              NodeViewFixtures.SINCE, "writer", epoch, true, "became leader", null, "why"));
    }

    assertThat(transitions.recent()).hasSize(50);
    assertThat(transitions.recent().get(0).epoch()).isEqualTo(211);
    assertThat(transitions.recent().get(49).epoch()).isEqualTo(260);
    assertThat(transitions.all()).hasSize(200);
    assertThat(transitions.all().get(0).epoch()).isEqualTo(61);
    assertThat(heard).hasSize(260);
  }

  @Test
  void transitionTextContainsEpochAndReason() {
    assertThat(NodeViewFixtures.transition().sentence())
        .isEqualTo("2026-01-02T03:04:05.678Z epoch=7 new leader leader=b-990-11aa");
    assertThat(
            new Transition(
                NodeViewFixtures.SINCE, "writer", 7, true, "became leader", null, "lease acquired"))
        .extracting(Transition::sentence)
        .isEqualTo("2026-01-02T03:04:05.678Z epoch=7 became leader why=\"lease acquired\"");
  }

  @Test
  void modeOffWithWhenOffLeaderReportsLeader() {
    ElectionView alone = new DisabledElection("writer", "redis", true, "mode is off").view();

    assertThat(alone.isLeader()).isFalse();
    assertThat(alone.mayAct()).isTrue();
  }
}
