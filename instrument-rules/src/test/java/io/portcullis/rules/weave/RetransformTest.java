package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetransformTest {
  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";
  private static final String OWN = SampleClassLoader.SAMPLES + "OwnExceptions";

  @Test
  void classLoadedBeforeTheWeaverIsWovenToo() throws Throwable {
    Sample shapes = new SampleClassLoader().sample("Shapes");
    assertThat(shapes.call("secret")).isEqualTo(42);

    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      int meant = trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThat(meant).isPositive();
      assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
      assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    }
  }

  @Test
  void rewovenClassIsGatedOnceAndCountedOnce() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      Sample shapes = new SampleClassLoader().sample("Shapes");

      WeavingFixture.INSTRUMENTATION.retransformClasses(shapes.type());
      WeavingFixture.INSTRUMENTATION.retransformClasses(shapes.type());
      trial.open();
      shapes.call("secret");

      assertThat(trial.coverage().passed()).isEqualTo(1);
      assertThat(trial.coverage().wovenMethods()).isEqualTo(1);
    }
  }

  @Test
  void classLoadedPastTheWeaverIsFoundAndWovenLater() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);
      WeavingFixture.INSTRUMENTATION.removeTransformer(trial.weaver);
      Sample missed = new SampleClassLoader().sample("Shapes");
      WeavingFixture.INSTRUMENTATION.addTransformer(trial.weaver, true);
      assertThat(missed.call("secret")).isEqualTo(42);

      int woven = trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThat(woven).isEqualTo(1);
      assertThatThrownBy(() -> missed.call("secret")).isInstanceOf(NotLeaderException.class);
      assertThat(trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION)).isZero();
    }
  }

  @Test
  void hiddenClassThatARuleMatchesIsReportedOnce() throws Throwable {
    String hidden = "io.portcullis.rules.weave.HiddenSample";
    Class<?> type =
        MethodHandles.lookup()
            .defineHiddenClass(SampleClassLoader.classFile(hidden), false)
            .lookupClass();
    Runnable lambda = () -> {};
    assertThat(lambda.getClass().isHidden() && type.isHidden()).isTrue();
    try (WeavingFixture trial =
        WeavingFixture.of(hidden + "#save()", getClass().getName() + "*#run()")) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.NO_METHOD);
      assertThat(trial.coverage().hint()).contains(hidden, "hidden", "not gated");
      assertThat(trial.news).containsOnlyOnce("rule-0 NO_METHOD");
      assertThat(trial.book.coverage().get(1).hint()).doesNotContain("hidden");
    }
  }

  @Test
  void hiddenClassIsReportedForAnArmedRuleToo() throws Throwable {
    String hidden = "io.portcullis.rules.weave.HiddenSample";
    Class<?> type =
        MethodHandles.lookup()
            .defineHiddenClass(SampleClassLoader.classFile(hidden), false)
            .lookupClass();
    try (WeavingFixture trial = WeavingFixture.of("io.portcullis.rules.**#save()")) {
      Class<?> saving =
          new SampleClassLoader().loadClass(SampleClassLoader.SAMPLES + "SingleMethod");

      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThat(type.isHidden()).isTrue();
      assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
      assertThat(trial.coverage().hint()).contains(hidden, "hidden", "not gated");
      assertThat(trial.news).containsExactly("rule-0 ARMED", "rule-0 ARMED");
      assertThat(saving.getSimpleName()).isEqualTo("SingleMethod"); // Keeps it reachable.
    }
  }

  @Test
  void ungateableLoadedClassIsBlockedAndReported() throws Throwable {
    Sample own = new SampleClassLoader().sample("OwnExceptions");
    Rule rule =
        WeavingFixture.rule("bad", OWN + "#unchecked()", Map.of("exception", "com.acme.Missing"));

    try (WeavingFixture trial = WeavingFixture.of(List.of(rule))) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThatThrownBy(() -> own.call("unchecked")).hasMessageContaining("rule 'bad'");
      assertThat(trial.failures).isNotEmpty().allMatch(WeaveFailure::loaded);
    }
  }
}
