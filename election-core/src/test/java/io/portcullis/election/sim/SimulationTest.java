package io.portcullis.election.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.simulation.CoverageMarks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the simulation with many seeds. {@code -Dportcullis.sim.seeds=100000} runs more, {@code
 * -Dportcullis.sim.seed=17} runs one and prints its trace.
 */
@Tag("slow")
class SimulationTest {
  static final int DEFAULT_SEEDS = 2_500;

  private static final @Nullable Long ONLY_SEED = number("portcullis.sim.seed");

  private static @Nullable Long number(String property) {
    String value = System.getProperty(property);
    return value == null ? null : Long.valueOf(value);
  }

  /** States that some runs must reach, or the simulation proves nothing. */
  private static final List<String> EXPECTED =
      List.of(
          "Standby>Leading",
          "Standby>Lapsed",
          "Standby>Inactive",
          "Leading>Lapsed",
          "Leading>Draining",
          "Leading>Standby",
          "Lapsed>Leading",
          "Lapsed>Standby",
          "Lapsed>Draining",
          "Draining>Releasing",
          "Draining>Standby",
          "Releasing>Standby",
          "Releasing>Inactive",
          "Releasing>Stopped",
          "Inactive>Standby",
          "Inactive>Stopped",
          "NewLeader",
          "StartedLeading",
          "ended by LEASE_RAN_OUT",
          "ended by CLOCKS_DISAGREE",
          "ended by RENEWAL_FAILED",
          "ended by LEASE_LOST",
          "ended by STEPPED_DOWN",
          "ended by DRAINED",
          "ended by INELIGIBLE",
          "ended by STOPPED",
          "restart KEPT",
          "restart OLD_COPY",
          "restart EMPTY",
          "entry lost",
          "store emptied",
          "store's clock stepped");

  @Test
  void atMostOneGateIsOpenAndOneNodeLeadsInTheEnd() {
    CoverageMarks marks = new CoverageMarks();

    Optional<String> failure =
        seeds()
            .parallel()
            .mapToObj(seed -> Simulation.failureOf(seed, marks))
            .filter(Objects::nonNull)
            .findFirst();

    assertThat(failure).isEmpty();
    if (ONLY_SEED == null && number("portcullis.sim.seeds") == null) {
      assertThat(marks.counts().keySet()).containsAll(EXPECTED);
    }
  }

  private static LongStream seeds() {
    if (ONLY_SEED != null) {
      System.out.println(Simulation.traceOf(ONLY_SEED));
      return LongStream.of(ONLY_SEED);
    }
    Long seeds = number("portcullis.sim.seeds");
    return LongStream.range(0, seeds == null ? DEFAULT_SEEDS : seeds);
  }

  @Test
  void oneSeedAlwaysGivesTheSameTrace() {
    assertThat(Simulation.traceOf(4711)).isEqualTo(Simulation.traceOf(4711));
  }
}
