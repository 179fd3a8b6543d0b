package io.portcullis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.RulesInForce.ReplacementProgress;
import io.portcullis.rules.RulesInForce.ReplacementProgress.ReplacementStep;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.InstalledRules.RuleListener;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class RulesInForceTest {
  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";
  private static final Rule SECRET = WeavingFixture.rule("secret", SHAPES + "#secret()", Map.of());
  private static final Rule FIXED = WeavingFixture.rule("fixed", SHAPES + "#fixed(..)", Map.of());
  private static final Rule BY_SUBTYPE = WeavingFixture.rule("kin", SHAPES + "+#plain()", Map.of());
  private static final Rule IMPOSSIBLE =
      WeavingFixture.rule(
          "impossible",
          SampleClassLoader.SAMPLES + "OwnExceptions#unchecked()",
          Map.of("exception", "com.acme.Missing"));

  private final ElectionGate gate = ElectionGate.forTrial("writer");
  private final ConcurrentLinkedQueue<WeaveFailure> grave = new ConcurrentLinkedQueue<>();
  private final RulesInForce rules = inForce();
  private final List<Sample> reachable = new ArrayList<>();

  private RulesInForce inForce(Rule... first) {
    return new RulesInForce(
        WeavingFixture.INSTRUMENTATION,
        InstalledRules.install(
            List.of(first), name -> gate, RefusalWrapping.NONE, (rule, state, hint) -> {}),
        grave::add,
        loader -> false);
  }

  /** Loads a class that the rules match, and keeps it from being collected during the test. */
  private void loadShapes() throws ReflectiveOperationException {
    reachable.add(new SampleClassLoader().sample("Shapes"));
  }

  private List<WeaveFailure> replace(Rule... next) {
    return replace((rule, state, hint) -> {}, next);
  }

  private List<WeaveFailure> replace(RuleListener listener, Rule... next) {
    return replace(listener, ReplacementProgress.NONE, next);
  }

  private List<WeaveFailure> replace(
      RuleListener listener, ReplacementProgress progress, Rule... next) {
    return rules.replace(
        book -> book.followedBy(List.of(next), name -> gate, RefusalWrapping.NONE, listener),
        progress);
  }

  @AfterEach
  void leaveNothingBehind() {
    rules.end();
  }

  @Test
  void keptRuleIsGatedThroughoutAReplacement() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong refused = new AtomicLong();
    AtomicLong ran = new AtomicLong();
    Thread caller =
        new Thread(
            () -> {
              while (!over.get()) {
                try {
                  shapes.call("secret");
                  ran.incrementAndGet();
                } catch (NotLeaderException e) {
                  refused.incrementAndGet();
                } catch (Throwable e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    caller.start();

    for (int i = 0; i < 10; i++) {
      assertThat(replace(SECRET, FIXED, BY_SUBTYPE)).isEmpty();
      assertThat(replace(SECRET)).isEmpty();
    }
    over.set(true);
    caller.join();

    assertThat(refused).hasPositiveValue();
    assertThat(ran).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void replacementThatIsStoppedInAnyStepKeepsTheOldRules(ReplacementStep stopped) throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    ReplacementProgress stop =
        (step, done, all) -> {
          if (step == stopped && done == all) {
            throw new IllegalStateException("stopped");
          }
        };

    assertThatThrownBy(() -> replace((rule, state, hint) -> {}, stop, SECRET, FIXED))
        .hasMessage("stopped");

    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    shapes.call("fixed", "x");
    assertThat(new SampleClassLoader().sample("Shapes").call("fixed", "x")).isNotNull();
    assertThat(replace(FIXED)).isEmpty();
    assertThatThrownBy(() -> shapes.call("fixed", "x")).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void progressCountsAllLoadedClassesInBothSteps() {
    Set<ReplacementStep> steps = EnumSet.noneOf(ReplacementStep.class);
    AtomicLong most = new AtomicLong();
    ReplacementProgress count =
        (step, done, all) -> {
          assertThat(done).isLessThanOrEqualTo(all);
          steps.add(step);
          most.accumulateAndGet(all, Math::max);
        };

    assertThat(replace((rule, state, hint) -> {}, count, SECRET)).isEmpty();

    assertThat(steps).containsExactlyInAnyOrder(ReplacementStep.values());
    assertThat(most.get()).isPositive().isLessThanOrEqualTo(rules.loadedClasses());
  }

  @Test
  void laterReplacementReadsNoClassFileAgain() throws Exception {
    SampleClassLoader loader = new SampleClassLoader();
    reachable.add(loader.sample("Shapes"));
    assertThat(replace(BY_SUBTYPE)).isEmpty();
    List<String> first = List.copyOf(loader.resourcesAsked);

    assertThat(replace(BY_SUBTYPE, SECRET)).isEmpty();
    assertThat(replace(BY_SUBTYPE)).isEmpty();

    assertThat(first).isNotEmpty().doesNotHaveDuplicates();
    assertThat(loader.resourcesAsked).containsExactlyElementsOf(first);
  }

  @Test
  void ruleThatWouldGateNothingIsRefusedAndTheOldOneKept() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    Rule misspelt =
        WeavingFixture.rule("secret", SampleClassLoader.SAMPLES + "Shaeps#secret()", Map.of());
    Rule gone = WeavingFixture.rule("secret", SHAPES + "#sercet()", Map.of());

    assertThat(replace(misspelt)).singleElement().asString().contains("secret", "Shaeps#secret()");
    assertThat(replace(gone)).singleElement().asString().contains("fix its match");

    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    assertThat(replace(FIXED)).isEmpty();
    shapes.call("secret");
  }

  @Test
  void addedRuleGatesLoadedAndLaterClasses() throws Throwable {
    Sample before = new SampleClassLoader().sample("Shapes");
    before.call("secret");

    assertThat(replace(SECRET, BY_SUBTYPE)).isEmpty();

    Sample after = new SampleClassLoader().sample("Shapes");
    for (Sample shapes : List.of(before, after)) {
      assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> shapes.call("plain")).isInstanceOf(NotLeaderException.class);
    }
    assertThat(rules.book().coverage())
        .extracting(RuleCoverage::id)
        .containsExactly("secret", "kin");
    assertThat(rules.book().coverage().get(0).wovenMethods()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void removedRuleGatesNothingAnyMore() throws Throwable {
    replace(SECRET, FIXED);
    Sample shapes = new SampleClassLoader().sample("Shapes");

    replace(FIXED);

    assertThat(shapes.call("secret")).isEqualTo(42);
    assertThatThrownBy(() -> shapes.call("fixed", "a")).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void keptRuleKeepsItsCounts() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);

    replace(FIXED, SECRET);
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);

    assertThat(rules.book().coverage().get(1).blocked()).isEqualTo(2);
  }

  @Test
  void changedActionTakesEffect() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");

    replace(
        Rule.of(
            new RuleSpec(
                "secret", SHAPES + "#secret()", "writer", "return", Map.of("value", 7), false),
            false));

    assertThat(shapes.call("secret")).isEqualTo(7);
  }

  @Test
  void unweavableRulesLeaveTheOldRulesUnchanged() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    Sample own = new SampleClassLoader().sample("OwnExceptions");

    List<WeaveFailure> failed = replace(IMPOSSIBLE, FIXED);

    assertThat(failed).extracting(failure -> failure.rule().id()).contains("impossible");
    assertThat(grave).isEmpty();
    assertThat(rules.book().coverage()).extracting(RuleCoverage::id).containsExactly("secret");
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    assertThat(shapes.call("fixed", "a")).isEqualTo("fixed a");
    own.call("unchecked");
  }

  @Test
  void errorsAreFatalAgainAfterATrial() throws Throwable {
    Rule late =
        WeavingFixture.rule(
            "late",
            SampleClassLoader.SAMPLES + "LateLoadedClass#arrive()",
            Map.of("exception", "com.acme.Missing"));
    assertThat(replace(late)).isEmpty();

    Sample loaded = new SampleClassLoader().sample("LateLoadedClass");

    assertThat(grave).extracting(failure -> failure.rule().id()).containsExactly("late");
    assertThatThrownBy(() -> loaded.call("arrive")).hasMessageContaining("rule 'late'");
  }

  @Test
  void refusedRulesHaveRefusedNoCall() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");
    Sample own = new SampleClassLoader().sample("OwnExceptions");
    AtomicBoolean over = new AtomicBoolean();
    ConcurrentLinkedQueue<Throwable> refused = new ConcurrentLinkedQueue<>();
    Thread caller =
        new Thread(
            () -> {
              while (!over.get()) {
                try {
                  own.call("unchecked");
                  shapes.call("fixed", "a");
                } catch (Throwable e) {
                  refused.add(e);
                }
              }
            });
    caller.start();

    for (int i = 0; i < 10; i++) {
      assertThat(replace(FIXED, IMPOSSIBLE)).isNotEmpty();
    }
    over.set(true);
    caller.join();

    assertThat(refused).isEmpty();
  }

  @Test
  void classLoadedDuringATrialIsNotBlockedByTrialErrors() throws Throwable {
    replace(SECRET);
    loadShapes();
    Rule late =
        WeavingFixture.rule(
            "late",
            SampleClassLoader.SAMPLES + "LoadedDuringReplacement#arrive()",
            Map.of("exception", "com.acme.Missing"));
    Rule nativeOne =
        WeavingFixture.rule(
            "native", SampleClassLoader.SAMPLES + "LoadedDuringReplacement#far()", Map.of());
    CompletableFuture<Sample> loaded = new CompletableFuture<>();
    // The JVM calls no transformer for classes that are loaded by a thread inside a transformer.
    RuleListener loading =
        (rule, state, hint) -> {
          if (rule.id().equals("fixed")) {
            loaded.completeAsync(RulesInForceTest::loadedMeanwhile).join();
          }
        };

    List<WeaveFailure> failed = replace(loading, SECRET, FIXED, late, nativeOne);

    assertThat(failed).extracting(failure -> failure.rule().id()).contains("late", "native");
    assertThat(grave).isEmpty();
    assertThat(loaded.join().call("arrive")).isEqualTo(1);
    assertThatThrownBy(() -> loaded.join().call("far")).isInstanceOf(UnsatisfiedLinkError.class);
  }

  private static Sample loadedMeanwhile() {
    try {
      Sample loadedMeanwhile = new SampleClassLoader().sample("LoadedDuringReplacement");
      loadedMeanwhile.call("arrive");
      return loadedMeanwhile;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void copiedGatesAreTriedOnlyIfThereAreAny() throws Throwable {
    Rule copied = WeavingFixture.rule("copied", SHAPES + "#secret()", Map.of("recheck", true));
    replace(FIXED);
    loadShapes();
    rules.checkCopied();
    assertThat(triesOfCopiedGates()).isZero();

    replace(copied);
    loadShapes();
    rules.checkCopied();
    rules.checkCopied();

    assertThat(triesOfCopiedGates()).isEqualTo(1);
  }

  private long triesOfCopiedGates() {
    return rules.book().canary().rules().get(1).checkpoint().passed();
  }
}
