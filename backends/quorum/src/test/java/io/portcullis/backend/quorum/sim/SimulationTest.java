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
 * Runs the simulation from many seeds. {@code -Dportcullis.sim.seeds=100000} runs more, {@code
 * -Dportcullis.sim.seed=17} one, and prints its story.
 */
@Tag("slow")
class SimulationTest {
  static final int DEFAULT_SEEDS = 2_500;

  private static final @Nullable Long ONLY_SEED = number("portcullis.sim.seed");

  private static @Nullable Long number(String property) {
    String value = System.getProperty(property);
    return value == null ? null : Long.valueOf(value);
  }

  /** What a run must come through now and then, or the simulation proves nothing. */
  private static final List<String> EXPECTED =
      List.of(
          "a message to an earlier process",
          "broken links",
          "cut off",
          "deaf",
          "died while saving",
          "disk lost",
          "dumb",
          "elected",
          "ended by CLOCKS_DISAGREE",
          "ended by DRAINED",
          "ended by INELIGIBLE",
          "ended by LEASE_RAN_OUT",
          "ended by RENEWAL_FAILED",
          "ended by STEPPED_DOWN",
          "ended by STOPPED",
          "late first answer",
          "longer promise",
          "lost generation",
          "newcomer begins above the others' terms",
          "newcomer begins among newcomers after the wait",
          "newcomer begins at once among newcomers",
          "nudged",
          "power cut",
          "pre-vote refused",
          "pre-vote refused for a promise",
          "pre-vote refused in quarantine",
          "pre-vote round",
          "promise given",
          "promise refused",
          "quarantined restart",
          "save failed",
          "saved again",
          "several disks lost at once",
          "siege",
          "slow",
          "split",
          "stood for election",
          "term raised",
          "the nudged one leads",
          "unreadable ballot",
          "vote given",
          "vote refused",
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
      System.out.println(Simulation.storyOf(ONLY_SEED));
      return LongStream.of(ONLY_SEED);
    }
    Long seeds = number("portcullis.sim.seeds");
    return LongStream.range(0, seeds == null ? DEFAULT_SEEDS : seeds);
  }

  @Test
  void oneSeedAlwaysTellsTheSameStory() {
    assertThat(Simulation.storyOf(4711)).isEqualTo(Simulation.storyOf(4711));
  }
}
