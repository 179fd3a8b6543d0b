package io.portcullis.backend.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.proving.Marks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Runs the simulation from many seeds. {@code -Dportcullis.sim.seeds=100000} runs more, {@code
 * -Dportcullis.sim.seed=17} one, and prints its story.
 */
class SimulationTest {
  static final int DEFAULT_SEEDS = 2_500;

  private static final @Nullable Long ONLY_SEED = number("portcullis.sim.seed");

  private static @Nullable Long number(String property) {
    String value = System.getProperty(property);
    return value == null ? null : Long.valueOf(value);
  }

  /** What a run must come through now and then, or the simulation proves nothing. */
  private static final List<String> EXPECTED = List.of();

  @Test
  void atMostOneGateIsOpenUnderRisingEpochsWhateverHappensAndAfterwardsOneLeads() {
    Marks marks = new Marks();

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
