package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Event;
import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A leader and a standby that share a Lease of their own. Who ended is replaced by a new node. */
final class NodePair implements AutoCloseable {
  /** Long enough for a new JVM to have come to rest, and to have asked more than once. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final KubernetesEnvironment site;
  private final Elector elector;
  private final String lease;
  private KubernetesEnvironment.Member leader;
  private KubernetesEnvironment.Member standby;

  private NodePair(
      KubernetesEnvironment site,
      Elector elector,
      String lease,
      KubernetesEnvironment.Member leader,
      KubernetesEnvironment.Member standby) {
    this.site = site;
    this.elector = elector;
    this.lease = lease;
    this.leader = leader;
    this.standby = standby;
  }

  static NodePair start(KubernetesEnvironment site, Elector elector, String lease)
      throws IOException {
    KubernetesEnvironment.Member leader = site.start(elector, lease);
    leader.node().await(Event.OPEN);
    return new NodePair(site, elector, lease, leader, site.start(elector, lease));
  }

  Elector elector() {
    return elector;
  }

  /**
   * Ends the leader by SIGTERM.
   *
   * @param phase how far it then is between two renewals, 0 to 1
   */
  Duration handOver(double phase) {
    settle(phase);
    long signalled = leader.node().terminate();
    return Duration.ofNanos(standby.node().await(Event.OPEN) - signalled);
  }

  /** Ends the leader by SIGKILL. */
  CrashTimes crash(double phase) {
    settle(phase);
    Instant now = Instant.now();
    long killed = leader.node().kill();
    Duration sinceKill = Duration.ofNanos(standby.node().await(Event.OPEN) - killed);
    Duration already = Duration.between(site.lastWrite(leader, lease), now);
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

  /** Lets the standby lead, with a new one beside it. */
  void replace() throws IOException {
    leader.close();
    leader = standby;
    standby = site.start(elector, lease);
  }

  /** What both asked in a time in which nothing happened. */
  PairRequestRates traffic(Instant from, Instant until) {
    checkOneLeads();
    Duration window = Duration.between(from, until);
    List<RequestLogEntry> leading = site.requests(leader, from, until);
    List<RequestLogEntry> waiting = site.requests(standby, from, until);
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
