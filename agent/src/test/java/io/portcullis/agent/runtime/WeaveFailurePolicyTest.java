package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.agent.node.ParticipantFixture;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import io.portcullis.fencing.weave.DriverWeaver.DriverWeaveFailure;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WeaveFailurePolicyTest {
  private final List<String> halts = new ArrayList<>();
  private final WeaveFailurePolicy policy = with(OnWeaveError.REFUSE);

  private WeaveFailurePolicy with(OnWeaveError policy) {
    return new WeaveFailurePolicy(policy, (words, code) -> halts.add(code + " " + words));
  }

  private static WeaveFailure failureWhileLoading() {
    Rule rule =
        Rule.of(
            new RuleSpec("orders", "com.acme.Store#save(..)", "writer", "throw", Map.of(), false),
            false);
    return new WeaveFailure(
        rule, "com.acme.Store", "too long", false, new IllegalStateException("too long"));
  }

  @Test
  void nodeWithUngateableMethodNeverLeads() {
    try (ParticipantFixture member = ParticipantFixture.on(new InProcessLease())) {
      await().atMost(ParticipantFixture.LONG).until(() -> member.view().isLeader());
      policy.onFailure(member.participant()::neverLeadAgain);

      policy.failed(failureWhileLoading());

      await()
          .atMost(ParticipantFixture.LONG)
          .until(() -> member.view().leadership().role() == RoleName.INELIGIBLE);
      assertThat(member.gate().isOpen()).isFalse();
    }
  }

  @Test
  void listenerAddedAfterAFailureIsNotifiedAtOnce() {
    AtomicInteger notified = new AtomicInteger();
    policy.failed(failureWhileLoading());

    policy.onFailure(notified::incrementAndGet);

    assertThat(notified).hasValue(1);
  }

  @Test
  void unfenceableDriverInUseAlwaysHaltsTheJvm() {
    Throwable why = new IllegalStateException("not known");
    AtomicInteger notified = new AtomicInteger();
    policy.onFailure(notified::incrementAndGet);

    policy.driverFailed(new DriverWeaveFailure("org/postgresql/core/PGStream", null, false, why));
    assertThat(halts).isEmpty();
    assertThat(notified).hasValue(1);
    policy.driverFailed(new DriverWeaveFailure("org/postgresql/core/PGStream", null, true, why));

    assertThat(halts).singleElement().asString().startsWith("70 ").contains("not known");
  }

  @Test
  void failedStepNotifiesListeners() {
    AtomicInteger notified = new AtomicInteger();
    policy.onFailure(notified::incrementAndGet);

    policy.guard(
        () -> {
          throw new NoClassDefFoundError("net/bytebuddy/ByteBuddy");
        });

    assertThat(notified).hasValue(1);
  }

  @Test
  void successfulStepNotifiesNobody() {
    AtomicInteger notified = new AtomicInteger();
    policy.onFailure(notified::incrementAndGet);

    policy.guard(() -> assertThat(notified).hasValue(0));

    assertThat(notified).hasValue(0);
  }

  @Test
  void weaveFailureHaltsTheJvmByDefault() {
    with(OnWeaveError.HALT).failed(failureWhileLoading());

    assertThat(halts).singleElement().asString().startsWith("70 ").contains("orders");
  }

  @Test
  void ungateableLoadedClassAlwaysHaltsTheJvm() {
    WeaveFailure inUse = failureWhileLoading();

    policy.failed(
        new WeaveFailure(inUse.rule(), inUse.className(), inUse.problem(), true, inUse.cause()));

    assertThat(halts).singleElement().asString().startsWith("70 ");
  }
}
