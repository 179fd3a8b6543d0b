package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentStatusTest {

  @Test
  void roleAndEpochOfTheElectionAreRead() {
    AgentStatus status =
        AgentStatus.parse(
            "ledger",
            """
            {"node": "a-1-2", "service": "demo", "version": "0", "mode": "enforce",
             "elections": {"ledger": {"role": "LEADER", "leader": "a-1-2", "epoch": 7}},
             "rules": [], "transitions": []}\
            """);

    assertThat(status).isEqualTo(new AgentStatus("LEADER", "7"));
    assertThat(status.leads()).isTrue();
  }

  @Test
  void missingEpochIsADash() {
    AgentStatus status =
        AgentStatus.parse(
            "ledger", "{\"elections\": {\"ledger\": {\"role\": \"STANDBY\", \"epoch\": null}}}");

    assertThat(status).isEqualTo(new AgentStatus("STANDBY", "-"));
    assertThat(status.leads()).isFalse();
  }

  @Test
  void invalidStatusIsUnknown() {
    assertThat(AgentStatus.parse("ledger", "not found")).isEqualTo(AgentStatus.UNKNOWN);
    assertThat(AgentStatus.parse("ledger", "{}")).isEqualTo(AgentStatus.UNKNOWN);
    assertThat(AgentStatus.parse("ledger", "")).isEqualTo(AgentStatus.UNKNOWN);
  }
}
