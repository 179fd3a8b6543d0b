package io.portcullis.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PriorityRequestsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long EPOCH = 7;

  /** Close to an overflow, so that comparing values instead of differences fails. */
  private static final long START = Long.MAX_VALUE - 20 * SECOND;

  private static final Timing TIMING = Timing.builder().lease(Duration.ofSeconds(10)).build();

  private final PriorityRequests requests =
      new PriorityRequests(new ElectionConfig("orders", "writer", "self", null, TIMING, 3));

  private void receive(String node, int priority, long epoch, long atSecond) {
    requests.receive(
        new PriorityRequest(node, priority, epoch, Duration.ofSeconds(60)),
        START + atSecond * SECOND);
  }

  private String best(long atSecond) {
    PreferredNode best = requests.best(EPOCH, START + atSecond * SECOND);
    return best == null ? "nobody" : best.node();
  }

  @Test
  void onlyAStrictlyHigherPriorityCounts() {
    receive("lower", 2, EPOCH, 0);
    receive("equal", 3, EPOCH, 0);
    assertThat(best(0)).isEqualTo("nobody");

    receive("higher", 4, EPOCH, 0);
    assertThat(best(0)).isEqualTo("higher");
  }

  @Test
  void ownPriorityRequestIsIgnored() {
    receive("self", 4, EPOCH, 0);

    assertThat(best(0)).isEqualTo("nobody");
  }

  @Test
  void healthySinceIsComputedFromTheRequest() {
    receive("a", 4, EPOCH, 1);

    assertThat(requests.best(EPOCH, START + 5 * SECOND))
        .isEqualTo(new PreferredNode("a", START - 59 * SECOND));
  }

  @Test
  void highestPriorityWinsAndTheFirstAmongEquals() {
    receive("a", 5, EPOCH, 0);
    receive("b", 5, EPOCH, 1);
    assertThat(best(2)).isEqualTo("a");

    receive("c", 9, EPOCH, 2);
    receive("a", 5, EPOCH, 3);
    assertThat(best(4)).isEqualTo("c");
  }

  @Test
  void requestNotRepeatedWithinALeaseExpires() {
    receive("a", 9, EPOCH, 0);
    assertThat(best(9)).isEqualTo("a");
    assertThat(best(10)).isEqualTo("nobody");

    receive("b", 5, EPOCH, 10);
    assertThat(best(11)).isEqualTo("b");
  }

  @Test
  void requestForAnEarlierTenureIsIgnored() {
    receive("a", 9, EPOCH - 1, 0);
    assertThat(best(1)).isEqualTo("nobody");

    receive("b", 5, EPOCH, 1);
    receive("a", 9, EPOCH - 1, 2);
    assertThat(best(3)).isEqualTo("b");
  }
}
