package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.ParticipantFixture;
import io.portcullis.agent.runtime.AgentRuntime.AgentScheduler;
import io.portcullis.agent.runtime.AgentRuntime.CampaignCondition;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.Weaver;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CampaignConditionTest {
  private static final String SAMPLE = Sample.class.getName();

  private final AgentScheduler thread = new AgentScheduler();

  /** The target of the rule. */
  static final class Sample {
    void work() {}
  }

  private static InstalledRules book(ParticipantFixture member) {
    Rule rule =
        Rule.of(
            new RuleSpec("sample", SAMPLE + "#work()", "writer", "throw", Map.of(), false), false);
    return InstalledRules.install(
        List.of(rule), name -> member.gate(), RefusalWrapping.NONE, (each, state, hint) -> {});
  }

  /** Weaves the sample as during its loading, without loading it. */
  private static void arm(InstalledRules book) throws IOException {
    Weaver weaver =
        new Weaver(
            book,
            failure -> {
              throw new AssertionError(failure.toString());
            },
            loader -> false);
    String name = SAMPLE.replace('.', '/');
    try (InputStream in = Sample.class.getResourceAsStream("/" + name + ".class")) {
      weaver.transform(
          Sample.class.getModule(),
          Sample.class.getClassLoader(),
          name,
          null,
          null,
          Objects.requireNonNull(in).readAllBytes());
    }
    assertThat(book.coverage().get(0).state()).isEqualTo(RuleState.ARMED);
  }

  private static boolean leads(ParticipantFixture member) {
    return member.view().isLeader();
  }

  @Test
  void nodeCampaignsWhenRequiredRulesAreArmed() throws IOException {
    try (ParticipantFixture member = ParticipantFixture.notReady(new InProcessLease())) {
      InstalledRules book = book(member);
      CampaignCondition wait = new CampaignCondition(List.of("sample"), Duration.ZERO);

      wait.watch(member.participant(), () -> book, thread);
      await()
          .during(Duration.ofMillis(300))
          .atMost(ParticipantFixture.LONG)
          .until(() -> !leads(member));
      assertThat(member.view().health().campaigning()).isFalse();
      arm(book);

      await().atMost(ParticipantFixture.LONG).until(() -> leads(member));
    }
  }

  @Test
  void nodeCampaignsAtOnceIfRulesAreAlreadyArmed() throws IOException {
    try (ParticipantFixture member = ParticipantFixture.notReady(new InProcessLease())) {
      InstalledRules book = book(member);
      arm(book);

      new CampaignCondition(List.of("sample"), Duration.ZERO)
          .watch(member.participant(), () -> book, thread);

      assertThat(member.view().health().campaigning()).isTrue();
    }
  }

  @Test
  void nodeCampaignsWithoutRulesAfterTheTimeout() {
    try (ParticipantFixture member = ParticipantFixture.notReady(new InProcessLease())) {
      InstalledRules book = book(member);
      new CampaignCondition(List.of("sample"), Duration.ofMillis(200))
          .watch(member.participant(), () -> book, thread);
      assertThat(member.view().health().campaigning()).isFalse();

      await().atMost(ParticipantFixture.LONG).until(() -> leads(member));
    }
  }

  @Test
  void leaderWithdrawsWhileARequiredRuleIsNotArmed() throws IOException {
    try (ParticipantFixture member = ParticipantFixture.notReady(new InProcessLease())) {
      InstalledRules armed = book(member);
      arm(armed);
      AtomicReference<InstalledRules> inForce = new AtomicReference<>(armed);
      new CampaignCondition(List.of("sample"), Duration.ZERO)
          .watch(member.participant(), inForce::get, thread);
      await().atMost(ParticipantFixture.LONG).until(() -> leads(member));

      inForce.set(book(member));
      await().atMost(ParticipantFixture.LONG).until(() -> !member.gate().isOpen());
      await()
          .during(Duration.ofMillis(300))
          .atMost(ParticipantFixture.LONG)
          .until(() -> !leads(member));
      assertThat(member.view().health().campaigning()).isFalse();
      assertThat(member.view().leadership().why()).contains("rules it requires");

      inForce.set(armed);
      await().atMost(ParticipantFixture.LONG).until(() -> leads(member));
    }
  }

  @Test
  void nodeWithoutRequiredRulesCampaignsAtOnce() {
    assertThat(new CampaignCondition(List.of(), Duration.ZERO).mustWait()).isFalse();
    assertThat(new CampaignCondition(List.of("sample"), Duration.ZERO).mustWait()).isTrue();
  }
}
