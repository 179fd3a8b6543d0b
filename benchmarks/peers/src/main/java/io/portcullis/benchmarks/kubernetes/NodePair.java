package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Event;
import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A leader and a standby with their own Lease. A node that ended is replaced by a new one. */
final class NodePair implements AutoCloseable {
  /** Long enough for a new JVM to become idle, and to have sent more than one request. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final KubernetesEnvironment environment;
  private final Elector elector;
  private final String lease;
  private KubernetesEnvironment.Member leader;
  private KubernetesEnvironment.Member standby;

  private NodePair(
      KubernetesEnvironment environment,
      Elector elector,
      String lease,
      KubernetesEnvironment.Member leader,
      KubernetesEnvironment.Member standby) {
    this.environment = environment;
    this.elector = elector;
    this.lease = lease;
    this.leader = leader;
    this.standby = standby;
  }

  static NodePair start(KubernetesEnvironment environment, Elector elector, String lease)
      throws IOException {
    KubernetesEnvironment.Member leader = environment.start(elector, lease);
    leader.node().await(Event.OPEN);
    return new NodePair(environment, elector, lease, leader, environment.start(elector, lease));
  }

  Elector elector() {
    return elector;
  }

  /**
   * Stops the leader with SIGTERM.
   *
   * @param phase the position between two renewals, 0 to 1
   */
  Duration handOver(double phase) {
    settle(phase);
    long signalled = leader.node().terminate();
    return Duration.ofNanos(standby.node().await(Event.OPEN) - signalled);
  }

  /** Kills the leader with SIGKILL. */
  CrashTimes crash(double phase) {
    settle(phase);
    Instant now = Instant.now();
    long killed = leader.node().kill();
    Duration sinceKill = Duration.ofNanos(standby.node().await(Event.OPEN) - killed);
    Duration already = Duration.between(environment.lastWrite(leader, lease), now);
    return new CrashTimes(sinceKill, sinceKill.plus(already));
  }

  private void settle(double phase) {
    pause(SETTLING.plusNanos((long) (phase * ClientGoTiming.RETRY.toNanos())));
    checkOneLeads();
    standby.node().forget(Event.OPEN);
  }

  private void checkOneLeads() {
    if (!leader.node().mayAct() || standby.node().mayAct()) {
      throw new MeasurementException("Another than " + leader + " leads; is the machine too busy?");
    }
  }

  /** Makes the standby the leader, and starts a new standby. */
  void replace() throws IOException {
    leader.close();
    leader = standby;
    standby = environment.start(elector, lease);
  }

  /** Requests of both nodes in a period in which nothing happened. */
  PairRequestRates traffic(Instant from, Instant until) {
    checkOneLeads();
    Duration window = Duration.between(from, until);
    List<RequestLogEntry> leading = environment.requests(leader, from, until);
    List<RequestLogEntry> waiting = environment.requests(standby, from, until);
    return new PairRequestRates(RequestRates.of(leading, window), RequestRates.of(waiting, window));
  }

  static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    leader.close();
    standby.close();
  }
}
