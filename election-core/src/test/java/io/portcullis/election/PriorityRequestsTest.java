package io.portcullis.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.PreferredNode;
import io.portcullis.election.store.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PriorityRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long EPOCH = 7;

  /** So that differences overflow where they are not taken as such. */
  private static final long START = Long.MAX_VALUE - 20 * SECOND;

  private static final Timing TIMING = Timing.builder().lease(Duration.ofSeconds(10)).build();

  private final PriorityRequests wishes =
      new PriorityRequests(new ElectionConfig("orders", "writer", "self", null, TIMING, 3));

  private void hear(String node, int priority, long epoch, long atSecond) {
    wishes.receive(
        new PriorityRequest(node, priority, epoch, Duration.ofSeconds(60)),
        START + atSecond * SECOND);
  }

  private String best(long atSecond) {
    PreferredNode best = wishes.best(EPOCH, START + atSecond * SECOND);
    return best == null ? "nobody" : best.node();
  }

  @Test
  void onlyAStrictlyHigherPriorityCounts() {
    hear("lower", 2, EPOCH, 0);
    hear("equal", 3, EPOCH, 0);
    assertThat(best(0)).isEqualTo("nobody");

    hear("higher", 4, EPOCH, 0);
    assertThat(best(0)).isEqualTo("higher");
  }

  @Test
  void theOwnWishIsNobodyElses() {
    hear("self", 4, EPOCH, 0);

    assertThat(best(0)).isEqualTo("nobody");
  }

  @Test
  void aNodeIsWellSinceAsLongAsItSays() {
    hear("a", 4, EPOCH, 1);

    assertThat(wishes.best(EPOCH, START + 5 * SECOND))
        .isEqualTo(new PreferredNode("a", START - 59 * SECOND));
  }

  @Test
  void ofSeveralTheHighestIsTheBestAndTheFirstOfEqualsStays() {
    hear("a", 5, EPOCH, 0);
    hear("b", 5, EPOCH, 1);
    assertThat(best(2)).isEqualTo("a");

    hear("c", 9, EPOCH, 2);
    hear("a", 5, EPOCH, 3);
    assertThat(best(4)).isEqualTo("c");
  }

  @Test
  void aWishThatIsNotRepeatedForALeaseIsGone() {
    hear("a", 9, EPOCH, 0);
    assertThat(best(9)).isEqualTo("a");
    assertThat(best(10)).isEqualTo("nobody");

    hear("b", 5, EPOCH, 10);
    assertThat(best(11)).isEqualTo("b");
  }

  @Test
  void aWishForAnEarlierTenureMovesNobody() {
    hear("a", 9, EPOCH - 1, 0);
    assertThat(best(1)).isEqualTo("nobody");

    hear("b", 5, EPOCH, 1);
    hear("a", 9, EPOCH - 1, 2);
    assertThat(best(3)).isEqualTo("b");
  }
}
