package io.portcullis.backend.quorum.sim;

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
          "a message to an earlier process",
          "broken connections",
          "cannot receive",
          "cannot send",
          "disk lost",
          "elected",
          "ended by CLOCKS_DISAGREE",
          "ended by DRAINED",
          "ended by INELIGIBLE",
          "ended by LEASE_RAN_OUT",
          "ended by RENEWAL_FAILED",
          "ended by STEPPED_DOWN",
          "ended by STOPPED",
          "isolated",
          "killed while saving",
          "late first response",
          "longer promise",
          "named as successor",
          "named successor leads",
          "power cut",
          "pre-vote refused",
          "pre-vote refused after a restart",
          "pre-vote refused for a promise",
          "pre-vote round",
          "promise given",
          "promise refused",
          "recovering member starts a new election after the wait",
          "recovering member starts above reported terms",
          "recovering member starts at once in a new election",
          "restart with a promise to wait out",
          "save failed",
          "saved again",
          "several disks lost at once",
          "slow",
          "split",
          "supporters restarted",
          "term raised",
          "unreadable ballot",
          "vote given",
          "vote refused",
          "voters lost their disks",
          "votes requested",
          "yielded, or would have");

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
    System.out.println(marks.counts());
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
  void sameSeedGivesTheSameTrace() {
    assertThat(Simulation.traceOf(4711)).isEqualTo(Simulation.traceOf(4711));
  }
}
