package io.portcullis.election;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.GateControl;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.store.LeaseStore;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Nodes of one election in this process, closed together. */
final class ElectionNodes implements AutoCloseable {
  /** Far longer than any step takes, so that a timeout shows that it never happens. */
  static final Duration LONG = Duration.ofMinutes(2);

  private final InProcessLease lease = new InProcessLease();
  private final Queue<LeaderElection> made = new ConcurrentLinkedQueue<>();

  static ElectionConfig config(String identity) {
    Timing timing =
        Timing.builder()
            .lease(Duration.ofSeconds(20))
            .renew(Duration.ofMillis(50))
            .heldBackoff(Backoff.steady(Duration.ofMillis(20), 0.2))
            .unknownBackoff(Backoff.steady(Duration.ofMillis(20), 0.2))
            .build();
    return new ElectionConfig("orders", "writer", identity, "http://" + identity, timing);
  }

  LeaseStore connect() {
    return lease.connect();
  }

  LeaderElection node(String identity) {
    return keep(new LeaderElection(config(identity), connect()));
  }

  LeaderElection node(LeaseStore store) {
    return keep(new LeaderElection(config("only"), store));
  }

  LeaderElection node(LeaseStore store, GateControl gate) {
    return keep(new LeaderElection(config("only"), store, gate, Set.of()));
  }

  private LeaderElection keep(LeaderElection election) {
    made.add(election);
    return election;
  }

  @Override
  public void close() {
    made.forEach(LeaderElection::close);
  }

  static ElectionListener recording(String who, Queue<String> events) {
    return new ElectionListener() {
      @Override
      public void startedLeading(Tenure tenure) {
        events.add(who + ": started " + (tenure.epoch() > 0));
      }

      @Override
      public void stoppedLeading(long epoch, LossReason ending, String why) {
        events.add(who + ": stopped " + ending);
      }

      @Override
      public void newLeader(Leader leader) {
        events.add(who + ": new leader " + leader.identity());
      }
    };
  }

  static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
