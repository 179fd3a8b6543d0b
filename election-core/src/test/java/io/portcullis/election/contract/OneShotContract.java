package io.portcullis.election.contract;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.backend.StorePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What {@code once} promises to jobs of which only one may run, on a real store. */
public abstract class OneShotContract {
  private static final int CALLERS = 5;

  /** The lease of a new election, so long that no pause of a busy machine ends it. */
  protected abstract StorePlan newLease();

  @Test
  void onlyOneOfSeveralConcurrentCallersLeads() throws Exception {
    StorePlan lease = newLease();

    List<LeaderElection> callers = callAtOnce(lease);
    List<LeaderElection> leaders = callers.stream().filter(LeaderElection::isLeader).toList();
    callers.forEach(LeaderElection::close);

    assertThat(leaders).hasSize(1);
  }

  @Test
  void closingReleasesTheLeaseForTheNextCaller() throws Exception {
    StorePlan lease = newLease();
    long epoch;
    try (LeaderElection first = LeaderElection.on(lease).once(MAX_WAIT)) {
      assertThat(first.isLeader()).isTrue();
      epoch = first.epoch();
    }

    try (LeaderElection next = LeaderElection.on(lease).once(MAX_WAIT)) {
      assertThat(next.isLeader()).as("sees no other leader").isTrue();
      assertThat(next.epoch()).isGreaterThan(epoch);
    }
  }

  @Test
  void callerThatSeesAnotherLeaderReturnsAtOnce() throws Exception {
    StorePlan lease = newLease();
    try (LeaderElection first = LeaderElection.on(lease).once(MAX_WAIT)) {
      assertThat(first.isLeader()).isTrue();

      try (LeaderElection second = LeaderElection.on(lease).once(MAX_WAIT.multipliedBy(10))) {
        assertThat(second.isLeader()).isFalse();
        assertThat(second.leader()).contains(first.config().identity());
      }
    }
  }

  private static List<LeaderElection> callAtOnce(StorePlan lease) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<LeaderElection>> results = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      results.add(
          threads.submit(
              () -> {
                go.await();
                return LeaderElection.on(lease).once(MAX_WAIT);
              }));
    }
    go.countDown();
    List<LeaderElection> callers = new ArrayList<>();
    for (Future<LeaderElection> result : results) {
      callers.add(result.get(MAX_WAIT.multipliedBy(2).toSeconds(), TimeUnit.SECONDS));
    }
    threads.shutdown();
    return callers;
  }
}
