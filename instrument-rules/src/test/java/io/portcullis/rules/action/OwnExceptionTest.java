package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway") // Methods called by name may return null.
class OwnExceptionTest {
  private static final String CLASS = SampleClassLoader.SAMPLES + "OwnExceptions";

  @ParameterizedTest
  @CsvSource({
    "unchecked, io.portcullis.rules.sample.OwnExceptions$Standby",
    "checked, io.portcullis.rules.sample.OwnExceptions$Checked",
    "checked, java.io.IOException",
    "unchecked, java.lang.UnsupportedOperationException",
    "unchecked, java.lang.Error"
  })
  void refusedCallThrowsTheApplicationsExceptionWithTheReason(String method, String exception)
      throws Throwable {
    try (WeavingFixture trial = trial(method, exception)) {
      SampleClassLoader loader = new SampleClassLoader();
      Sample sample = loader.sample("OwnExceptions");

      Throwable thrown = catchThrowable(() -> sample.call(method));

      assertThat(thrown)
          .isExactlyInstanceOf(loader.loadClass(exception).asSubclass(Throwable.class))
          .hasCauseInstanceOf(NotLeaderException.class)
          .hasMessage(thrown.getCause().getMessage());
      assertThat(trial.failures).isEmpty();

      trial.open();
      assertThat(sample.call(method)).isEqualTo(1);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void exceptionWithoutAMessageHasTheRefusalAsCause() throws Throwable {
    try (WeavingFixture trial = trial("unchecked", CLASS + "$Silent")) {
      Sample sample = new SampleClassLoader().sample("OwnExceptions");

      Throwable thrown = catchThrowable(() -> sample.call("unchecked"));

      assertThat(thrown.getClass().getName()).isEqualTo(CLASS + "$Silent");
      assertThat(thrown).hasCauseInstanceOf(NotLeaderException.class);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void futureFailsWithCheckedAndUncheckedExceptions() throws Throwable {
    try (WeavingFixture trial = trial("later", CLASS + "$Checked")) {
      Sample sample = new SampleClassLoader().sample("OwnExceptions");

      var refused = (CompletableFuture<?>) sample.call("later");

      assertThat(catchThrowable(refused::join).getCause().getClass().getName())
          .isEqualTo(CLASS + "$Checked");

      trial.open();
      assertThat(((CompletableFuture<?>) sample.call("later")).join()).isEqualTo(1);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void exceptionClassIsNotLoadedBeforeTheFirstRefusal() throws Throwable {
    try (WeavingFixture trial = trial("unchecked", CLASS + "$Standby")) {
      SampleClassLoader loader = new SampleClassLoader();
      Sample sample = loader.sample("OwnExceptions");
      trial.open();

      sample.call("unchecked");

      assertThat(loader.hasLoaded("OwnExceptions$Standby")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          $Checked     | is checked, and
          $Fussy       | neither a public constructor that takes a String nor one without
          $Vague       | is abstract. Name a concrete class
          $Shy         | neither a public constructor
          $NoThrowable | is not a Throwable
          $Missing     | can't be found by the loader of the gated class
          """)
  void unthrowableExceptionIsAWeaveError(String exception, String problem) throws Throwable {
    try (WeavingFixture trial = trial("unchecked", CLASS + exception)) {
      Sample sample = new SampleClassLoader().sample("OwnExceptions");
      trial.open();

      assertThatThrownBy(() -> sample.call("unchecked"))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageContaining("rule 'own'")
          .hasMessageContaining(problem);

      assertThat(trial.failures).singleElement().asString().contains(problem);
      assertThat(trial.coverage().state()).isEqualTo(RuleState.FAILED);
      assertThat(trial.coverage().hint()).contains(problem);
    }
  }

  private static WeavingFixture trial(String method, String exception) {
    return WeavingFixture.of(
        List.of(
            WeavingFixture.rule(
                "own", CLASS + "#" + method + "()", Map.of("exception", exception))));
  }
}
