package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Statements are refused unless their SQL, given or recorded, only reads. */
class UnlessReadTest {
  private static final String DRIVER_STATEMENT = SampleClassLoader.SAMPLES + "DriverStatement";

  private static Rule rule(String method, String action) {
    return Rule.of(
        new RuleSpec(action, DRIVER_STATEMENT + method, "writer", action, Map.of(), false), false);
  }

  private static WeavingFixture trial() {
    return WeavingFixture.of(
        List.of(rule("#prepare(..)", "note-sql"), rule("#execute(..)", "throw-unless-read")));
  }

  @Test
  void readingSqlIsExecutedWhileTheGateIsShut() throws Throwable {
    try (WeavingFixture trial = trial()) {
      Sample sample = new SampleClassLoader().sample("DriverStatement");

      assertThat(sample.call("execute", "SELECT 1")).isEqualTo(true);
      assertThat(sample.call("execute", "SELECT 1", 7)).isEqualTo(7);
      assertThatThrownBy(() -> sample.call("execute", "DELETE FROM a"))
          .isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> sample.call("execute", "DELETE FROM a", 7))
          .isInstanceOf(NotLeaderException.class);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.book.coverage().get(1).blocked()).isEqualTo(2);
    }
  }

  @Test
  void preparedStatementIsRefusedUnlessItsSqlIsAKnownRead() throws Throwable {
    try (WeavingFixture trial = trial()) {
      Sample sample = new SampleClassLoader().sample("DriverStatement");

      assertThatThrownBy(() -> sample.call("execute")).isInstanceOf(NotLeaderException.class);
      sample.call("prepare", "SELECT 1");
      assertThat(sample.call("execute")).isEqualTo(1L);
      sample.call("prepare", "DELETE FROM a");
      assertThatThrownBy(() -> sample.call("execute")).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(sample.call("execute")).isEqualTo(1L);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.failures).isEmpty();
    }
  }
}
