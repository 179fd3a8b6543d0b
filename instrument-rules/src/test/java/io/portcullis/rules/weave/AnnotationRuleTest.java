package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the form {@code @Annotation Type#method(..)}. */
class AnnotationRuleTest {
  private static final String MARKED = SampleClassLoader.SAMPLES + "Marked";
  private static final String JOB = "@" + MARKED + "$Job ";

  @ParameterizedTest
  @ValueSource(
      strings = {"direct", "repeated", "alone", "meta", "meta of meta", "type", "inherited"})
  void methodAnnotatedInAnyWayIsGated(String call) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(JOB + "**#*(..)")) {
      Sample marked = new SampleClassLoader().sample("Marked");

      assertThatThrownBy(() -> marked.call("run", call)).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(marked.call("run", call)).isEqualTo(call.equals("type") ? "any" : call);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"of the interface", "parameter", "not inherited"})
  void annotationsOnParentsParametersAndFieldsDoNotCount(String call) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(JOB + "**#*(..)")) {
      Sample marked = new SampleClassLoader().sample("Marked");

      assertThat(marked.call("run", call)).isNotNull();
      assertThat(trial.coverage().state()).isNotEqualTo(RuleState.FAILED);
    }
  }

  @Test
  void typeAndMethodRestrictAnAnnotationRule() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(JOB + "**$Methods#d*(..)", JOB + "**$Work+#*(..)")) {
      Sample marked = new SampleClassLoader().sample("Marked");

      assertThatThrownBy(() -> marked.call("run", "direct")).isInstanceOf(NotLeaderException.class);
      assertThat(marked.call("run", "meta")).isEqualTo("meta");
      assertThat(marked.call("run", "type")).isEqualTo("any");

      assertThat(trial.book.coverage().get(0).wovenMethods()).isEqualTo(1);
      assertThat(trial.book.coverage().get(1).hint()).contains("work() is abstract in");
    }
  }

  @Test
  void classWithoutTheAnnotationLeavesTheRulePending() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(JOB + "**#*(..)")) {
      new SampleClassLoader().sample("Shapes");
      new SampleClassLoader().loadClass(MARKED + "$Nightly");

      assertThat(trial.coverage().state()).isEqualTo(RuleState.PENDING);
    }
  }

  @Test
  void annotatedMethodThatDoesNotFitIsReported() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(JOB + "**$Methods#direct(int)")) {
      new SampleClassLoader().loadClass(MARKED + "$Methods");

      assertThat(trial.coverage().state()).isEqualTo(RuleState.NO_METHOD);
      assertThat(trial.coverage().hint())
          .contains("that matches @%s$Job".formatted(MARKED), "direct() exists");
    }
  }
}
