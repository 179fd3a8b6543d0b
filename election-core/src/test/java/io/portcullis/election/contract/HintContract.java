package io.portcullis.election.contract;

import static io.portcullis.election.contract.Claimant.granted;
import static io.portcullis.election.contract.Claimant.shown;
import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests what a real store transports between nodes in addition to the lease. None of it changes the
 * lease.
 */
public abstract class HintContract extends ElectionContract {
  private static final int QUIET_LOOKS = 3;

  @Test
  void releaseSendsHintsToTheOtherNodesOnly() {
    assumeTrue(givesHints());
    Claimant a = claimant("a");
    Claimant b = claimant("b");
    releaseUntilHint(a, b);
    releaseUntilHint(b, a);
    int[] heard = {a.hints(), b.hints()};

    a.release(a.lead());

    await().atMost(MAX_WAIT).until(() -> b.hints() > heard[1]);
    assertThat(a.hints()).isEqualTo(heard[0]);
  }

  @Test
  void priorityRequestReachesTheLeaderAndChangesNothing() {
    assumeTrue(carriesPriorityRequests());
    Claimant a = claimant("a");
    Claimant b = preferred("b", 5);
    Claimant c = claimant("c");
    Granted won = a.lead();
    PriorityRequest request = new PriorityRequest("b", 5, won.epoch(), Duration.ofSeconds(61));
    b.look();

    // As often as a leader renews, since a response may carry the request.
    await()
        .atMost(MAX_WAIT)
        .pollInterval(lease().dividedBy(5))
        .until(
            () -> {
              b.sendPriorityRequest(request);
              assertThat(c.look().isHeldBy("a", won.epoch())).isTrue();
              assertThat(granted(a.renew(won.epoch()))).isEqualTo(won);
              return a.priorityRequests().contains(request);
            });

    assertThat(a.priorityRequests()).containsOnly(request);
    assertThat(c.look().isHeldBy("a", won.epoch())).isTrue();
  }

  @Test
  void priorityRequestDoesNotRenewTheLease() {
    assumeTrue(carriesPriorityRequests());
    Claimant a = claimant("a");
    Claimant b = preferred("b", 5);
    Granted won = a.lead();
    RecordVersion before = a.look().recordVersion();
    b.look();

    b.sendPriorityRequest(new PriorityRequest("b", 5, won.epoch(), Duration.ofSeconds(61)));

    await()
        .during(lease().dividedBy(2))
        .atMost(MAX_WAIT)
        .until(() -> b.look().recordVersion().equals(before));
  }

  @Test
  void requestForAnEndedTenureDoesNotAffectTheNext() {
    assumeTrue(carriesPriorityRequests());
    Claimant a = claimant("a");
    Claimant b = preferred("b", 5);
    Granted first = a.lead();
    LeaseRecord seen = b.look();
    a.release(first);
    Granted second = a.lead();

    b.sendPriorityRequest(new PriorityRequest("b", 5, seen.epoch(), Duration.ofSeconds(61)));

    assertThat(granted(a.renew(second.epoch()))).isEqualTo(second);
    assertThat(b.look().isHeldBy("a", second.epoch())).isTrue();
    assertThat(granted(a.renew(second.epoch()))).isEqualTo(second);
  }

  @Test
  void releaseWithSuccessorHintsOnlyTheSuccessor() {
    assumeTrue(givesHints() && hintsSuccessorOnly());
    Claimant a = claimant("a");
    Claimant b = preferred("b", 5);
    Claimant c = claimant("c");
    releaseUntilHint(a, b);
    releaseUntilHint(a, c);
    Granted won = a.lead();
    awaitQuiet(b);
    awaitQuiet(c);
    int[] heard = {b.hints(), c.hints()};

    LeaseRecord released =
        shown(a.ask(new LeaseRequest.Release("a", won.epoch(), won.incarnation(), "b")));

    assertThat(released.released()).isTrue();
    await().atMost(MAX_WAIT).until(() -> b.hints() > heard[0]);
    assertThat(c.hints()).isEqualTo(heard[1]);
    Granted next = granted(c.acquire(c.claim(null, won.epoch(), won.incarnation())));
    assertThat(next.epoch()).isEqualTo(won.epoch() + 1);
  }

  private Claimant preferred(String node, int priority) {
    return keep(new Claimant(fixture(), node, timing(), priority));
  }

  /** A connection may take a moment until it delivers hints. */
  private static void releaseUntilHint(Claimant who, Claimant listener) {
    int before = listener.hints();
    await()
        .atMost(MAX_WAIT)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              listener.look(); // A store may subscribe only at its first request.
              who.release(who.lead());
              return listener.hints() > before;
            });
    awaitQuiet(listener);
  }

  /** Waits until no hint has arrived for several checks in a row: an earlier one may be late. */
  private static void awaitQuiet(Claimant listener) {
    int[] count = {-1};
    int[] quiet = {0};
    await()
        .atMost(MAX_WAIT)
        .pollInterval(Duration.ofMillis(250))
        .until(
            () -> {
              quiet[0] = count[0] == listener.hints() ? quiet[0] + 1 : 0;
              count[0] = listener.hints();
              return quiet[0] == QUIET_LOOKS;
            });
  }
}
