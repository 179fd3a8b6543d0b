package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the form {@code Type+}. */
class SubtypeRuleTest {
  private static final String STORE_HIERARCHY = SampleClassLoader.SAMPLES + "StoreHierarchy";
  private static final String STORE = STORE_HIERARCHY + "$Store";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "direct",
        "through the type",
        "inherited by the type",
        "static",
        "static of the type",
        "default",
        "default overridden",
        "through an abstract class",
        "body of an abstract class",
        "default of a subinterface",
        "unicode",
      })
  void methodIsGatedInEverySubtypeThatHasABody(String call) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#*(..)")) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");

      assertThatThrownBy(() -> stores.call("run", call)).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(stores.call("run", call)).isNotNull();
      assertThat(trial.coverage().passed()).isEqualTo(1);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"not of the type", "other"})
  void methodsUnknownToTheTypeAreNotGated(String call) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#*(..)")) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");

      assertThat(stores.call("run", call)).isNotNull();
      assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "save(..)",
        "save(java.lang.Object)",
        "save(io.portcullis.rules.sample.StoreHierarchy$Order)",
        "s*(*)",
      })
  void narrowedMethodIsGatedAndCountedOnce(String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#" + method)) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");

      assertThatThrownBy(() -> stores.call("run", "direct")).isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> stores.call("run", "through the type"))
          .isInstanceOf(NotLeaderException.class);

      trial.open();
      stores.call("run", "through the type");
      assertThat(trial.coverage().passed()).isEqualTo(1);
    }
  }

  @Test
  void typeMayHaveWildcardsAndBelongToTheJdk() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of("**$Clos*+#shut()", "java.lang.Comparable+#compareTo(..)")) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");
      Sample bridged = new SampleClassLoader().sample("Bridged");

      assertThatThrownBy(() -> stores.call("run", "inherited by the type"))
          .isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(() -> bridged.call("compareTo", bridged.instance()))
          .isInstanceOf(NotLeaderException.class);
      assertThat(trial.failures).isEmpty();
    }
  }

  @Test
  void bodyInheritedFromAnUnrelatedClassIsReportedAsAHint() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#save(..)")) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");

      assertThat(stores.call("run", "trapped")).isEqualTo("lookalike it");

      assertThat(trial.coverage().hint())
          .contains(
              "%1$s$Trapped inherits %1$s$Lookalike#save(java.lang.Object), which this rule does"
                  .formatted(STORE_HIERARCHY));
    }
  }

  @Test
  void bridgeToABodyOfAnUnrelatedClassIsGatedAndReported() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#save(..)")) {
      Sample stores = new SampleClassLoader().sample("StoreHierarchy");

      assertThatThrownBy(() -> stores.call("run", "trapped by a bridge"))
          .isInstanceOf(NotLeaderException.class);
      assertThat(trial.coverage().hint())
          .contains("inherits %1$s$OrderBase#save(%1$s$Order)".formatted(STORE_HIERARCHY));
    }
  }

  @Test
  void interfaceAloneIsReportedWithoutAWarning() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#save(..)")) {
      new SampleClassLoader().loadClass(STORE);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.PENDING);
      assertThat(trial.news).isEmpty();
      assertThat(trial.coverage().hint())
          .isEqualTo(
              "save(java.lang.Object) is abstract in %s: it is gated where a subtype implements it"
                  .formatted(STORE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"save(..)", "shut()", "new(..)"})
  void typesWithoutABodyAreReportedOnlyIfNoBodyFollows(String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#" + method)) {
      SampleClassLoader loader = new SampleClassLoader();

      loader.loadClass(STORE);
      loader.loadClass(STORE_HIERARCHY + "$WholeStore"); // Before its parent, with shut().

      assertThat(trial.news).containsExactly("rule-0 ARMED");
    }
  }

  @Test
  void bodyOfAnUnrelatedClassIsReportedForAPendingRule() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#save(..)")) {
      new SampleClassLoader().loadClass(STORE_HIERARCHY + "$Trapped");

      assertThat(trial.news).containsExactly("rule-0 PENDING");
      assertThat(trial.coverage().hint())
          .contains("Trapped inherits", "Lookalike#save(java.lang.Object)");
    }
  }

  @Test
  void methodThatNoSubtypeCanHaveIsReportedWithTheType() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(STORE + "+#sav(..)", STORE_HIERARCHY + "$Order+#save()")) {
      new SampleClassLoader().loadClass(STORE);
      new SampleClassLoader().loadClass(STORE_HIERARCHY + "$Order");

      assertThat(trial.news).containsExactly("rule-0 NO_METHOD", "rule-1 NO_METHOD");
    }
  }

  @Test
  void methodMissingInTheTypeIsReportedWithItsMethods() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(STORE + "+#sav(..)", STORE + "+#save(int,int)")) {
      new SampleClassLoader().loadClass(STORE_HIERARCHY + "$OrderStore");

      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsOnly(RuleState.NO_METHOD);
      assertThat(trial.book.coverage().get(0).hint())
          .contains("Store declares no sav(..)", "similar: save(java.lang.Object)");
      assertThat(trial.book.coverage().get(1).hint())
          .contains("save(java.lang.Object) exists; the rule specifies save(int,int)");
    }
  }

  @Test
  void lambdaOfTheTypeIsReportedSinceItCannotBeWoven() {
    Runnable lambda = () -> {};
    try (WeavingFixture trial = WeavingFixture.of("java.lang.Runnable+#run()")) {
      trial.weaver.weaveLoaded(WeavingFixture.INSTRUMENTATION);

      assertThat(lambda.getClass().isHidden()).isTrue();
      assertThat(trial.coverage().hint()).contains("is a hidden class", "not gated");
    }
  }

  @Test
  void constructorsOfSubtypesMatchWithAnyParameters() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(STORE + "+#new(..)", STORE_HIERARCHY + "$Order#new(int)")) {
      new SampleClassLoader().loadClass(STORE_HIERARCHY + "$OrderStore");
      new SampleClassLoader().loadClass(STORE_HIERARCHY + "$Order");

      assertThat(trial.failures).isEmpty();
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsExactly(RuleState.ARMED, RuleState.ARMED);
    }
  }
}
