package io.portcullis.agent.runtime;

import static io.portcullis.agent.node.ParticipantFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.runtime.AgentInstaller.RuleStateLogger;
import io.portcullis.agent.runtime.AgentRuntime.AgentScheduler;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Tests log lines about rules, with a short delay instead of a minute. */
class RuleStateLoggerTest {
  private static final Duration SOON = Duration.ofMillis(20);

  private final RecordingLogger lines = new RecordingLogger();
  private final RuleStateLogger logger = new RuleStateLogger(new AgentScheduler(), SOON, lines);

  private static RuleCoverage rule(String id, RuleState state) {
    return rule(id, state, "");
  }

  private static RuleCoverage rule(String id, RuleState state, String hint) {
    return new RuleCoverage(
        id,
        "com.acme." + id + "#work()",
        "writer",
        "throw",
        false,
        state,
        0,
        hint,
        0,
        0,
        0,
        0,
        List.of());
  }

  @Test
  void pendingRuleIsLoggedWithItsHint() {
    logger.watch(() -> List.of(rule("store", RuleState.PENDING, "save() is abstract")));

    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(lines.list)
                    .singleElement()
                    .asString()
                    .contains("rule=store state=PENDING", "Seen so far: save() is abstract\""));
  }

  @Test
  void ruleWithoutLoadedClassIsWarnedAboutOnce() {
    logger.watch(
        () ->
            List.of(
                rule("unseen", RuleState.PENDING),
                rule("work", RuleState.ARMED),
                rule("typo", RuleState.NO_METHOD)));

    await().atMost(LONG).until(() -> !lines.list.isEmpty());
    await().atMost(LONG).pollDelay(SOON.multipliedBy(3)).until(() -> true);

    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0))
        .startsWith("WARN portcullis rule=unseen state=PENDING")
        .contains("com.acme.unseen#work()", "it gates nothing so far");
  }

  @Test
  void newCallerIsLoggedWithItsFrames() {
    List<String> frames = List.of("com.acme.Store#save:1", "com.acme.Api#post:2");

    logger.newCaller(configured(false), new RefusedCaller(frames, Instant.EPOCH, 1));
    logger.newCaller(configured(true), new RefusedCaller(frames, Instant.EPOCH, 1));

    await().atMost(LONG).until(() -> lines.list.size() == 2);
    assertThat(lines.list)
        .containsExactly(
            "INFO portcullis rule=store new refused caller: com.acme.Store#save:1 <"
                + " com.acme.Api#post:2",
            "INFO portcullis rule=store new observed caller: com.acme.Store#save:1 <"
                + " com.acme.Api#post:2");
  }

  private static Rule configured(boolean observe) {
    return Rule.of(
        new RuleSpec("store", "com.acme.Store#save(..)", "writer", "throw", Map.of(), observe),
        false);
  }

  /** Records log lines. */
  private static final class RecordingLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    private final transient List<String> list = new CopyOnWriteArrayList<>();

    @Override
    protected String getFullyQualifiedCallerName() {
      return "";
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String message, Object[] arguments, Throwable error) {
      list.add(level + " " + MessageFormatter.arrayFormat(message, arguments).getMessage());
    }

    @Override
    public boolean isTraceEnabled() {
      return true;
    }

    @Override
    public boolean isDebugEnabled() {
      return true;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}
