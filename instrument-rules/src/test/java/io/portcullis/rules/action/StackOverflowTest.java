package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that ends with a full stack has ended: a drain does not wait for it. */
class StackOverflowTest {
  private static final String ENDLESS_RECURSION = SampleClassLoader.SAMPLES + "EndlessRecursion";
  private static final int ROUNDS = 200;
  private static final long SMALL_STACK = 256 << 10;

  @ParameterizedTest
  @ValueSource(strings = {"plain", "forgiving"})
  void stackOverflowLeavesNoCallInFlight(String method) throws Exception {
    assertThat(leftInFlight("throw", method, Map.of())).isZero();
  }

  /**
   * With copied gates, the very first call may stay in flight, while the JVM still links their
   * code.
   */
  @ParameterizedTest
  @CsvSource({
    "throw, future, ",
    "throw, plain, recheck",
    "throw, forgiving, recheck",
    "throw, future, recheck",
    "throw, plain, interrupt",
    "return, plain, value",
    "return, forgiving, value",
  })
  void repeatedStackOverflowsLeaveAtMostOneCallInFlight(
      String action, String method, @Nullable String option) throws Exception {
    Map<String, @Nullable Object> options = new HashMap<>();
    if (option != null) {
      options.put(option, option.equals("value") ? (Object) 3 : true);
    }

    assertThat(leftInFlight(action, method, options)).isBetween(0L, ROUNDS / 4L);
  }

  private static long leftInFlight(
      String action, String method, Map<String, @Nullable Object> options) throws Exception {
    try (WeavingFixture trial =
        WeavingFixture.acting(action, ENDLESS_RECURSION + "#" + method + "()", options)) {
      trial.open();
      Sample sample = new SampleClassLoader().sample("EndlessRecursion");
      for (int i = 0; i < ROUNDS; i++) {
        int depth = i;
        Thread caller = new Thread(null, () -> fill(sample, method, depth), "caller", SMALL_STACK);
        caller.start();
        caller.join();
      }
      assertThat(trial.coverage().passed()).isGreaterThan(ROUNDS);
      return trial.gate.callsInFlight();
    }
  }

  /**
   * Starts at another depth each time, so that the stack is full at any place of the woven code.
   */
  private static int fill(Sample sample, String method, int depth) {
    if (depth > 0) {
      return fill(sample, method, depth - 1) + 1;
    }
    try {
      sample.call(method);
    } catch (StackOverflowError full) {
      return 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return 0;
  }
}
