package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bridges as the compiler makes them. */
class BridgeTest {
  private static final String BRIDGED = SampleClassLoader.SAMPLES + "Bridged";

  @ParameterizedTest
  @ValueSource(strings = {"save(..)", "save(java.lang.String)", "sa*(..)"})
  void bridgeToAParentIsGatedBesideAnOverloadOfTheSameArity(String method) throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(BRIDGED + "#" + method)) {
      Object bridged = new SampleClassLoader().sample("Bridged").instance();
      Method bridge = bridged.getClass().getMethod("save", String.class);
      assertThat(bridge.isBridge()).isTrue();

      assertThatThrownBy(() -> bridge.invoke(bridged, "it"))
          .isInstanceOf(InvocationTargetException.class)
          .hasCauseInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(bridge.invoke(bridged, "it")).isEqualTo("text it");
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void callThroughABridgeToAGatedMethodIsCountedOnce() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(BRIDGED + "#compareTo(..)", BRIDGED + "#get()")) {
      Object bridged = new SampleClassLoader().sample("Bridged").instance();
      Comparable<Object> comparable = (Comparable<Object>) bridged;
      Supplier<String> supplier = (Supplier<String>) bridged;

      assertThatThrownBy(() -> comparable.compareTo(bridged))
          .isInstanceOf(NotLeaderException.class);
      assertThatThrownBy(supplier::get).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(comparable.compareTo(bridged)).isEqualTo(7);
      assertThat(supplier.get()).isEqualTo("got");
      assertThat(trial.book.coverage()).extracting(RuleCoverage::passed).containsExactly(1L, 1L);
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::wovenMethods)
          .containsExactly(1L, 1L);
    }
  }

  @Test
  void bridgeIsGatedIfItsTargetDoesNotMatch() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(BRIDGED + "#compareTo(java.lang.Object)")) {
      new SampleClassLoader().loadClass(BRIDGED);

      assertThat(trial.coverage().wovenMethods()).isEqualTo(1);
    }
  }
}
