package io.portcullis.it.support;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls several nodes continuously for their role, and reports if two led at once.
 *
 * <p>A node that responds LEADER led at some moment between the request and its response. So two
 * responses whose times overlap prove nothing: one may have handed over to the other meanwhile.
 * Proof is a response LEADER to a request that was sent after another node's LEADER of a higher
 * epoch had been received: then both led at the moment of the earlier response, since an epoch that
 * was left is not entered again. One epoch on two nodes is proof at any time.
 */
public final class DualLeaderDetector implements AutoCloseable {
  private static final long PAUSE_NANOS = 5_000_000;

  /** One response. */
  public record Sample(
      String node, int status, String role, long epoch, long sentNanos, long receivedNanos) {
    boolean claims() {
      return role.equals("LEADER");
    }
  }

  private final String path;
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final BackgroundThreads threads = new BackgroundThreads();
  private volatile boolean over;

  private DualLeaderDetector(String path) {
    this.path = path;
  }

  public static DualLeaderDetector over(ServiceJvm... jvms) {
    return over("/leader", PAUSE_NANOS, List.of(jvms));
  }

  public static DualLeaderDetector over(String path, long pauseNanos, List<ServiceJvm> jvms) {
    jvms.forEach(ServiceJvm::agentUrl);
    DualLeaderDetector watch = new DualLeaderDetector(path);
    for (ServiceJvm jvm : jvms) {
      watch.threads.start("leader-watch", () -> watch.sample(jvm, pauseNanos));
    }
    return watch;
  }

  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  public List<Sample> claims() {
    return samples.stream().filter(Sample::claims).toList();
  }

  /** Proofs that two nodes led at once, and inconsistent responses. */
  public List<String> violations() {
    return violations(samples());
  }

  static List<String> violations(List<Sample> samples) {
    List<String> found = new ArrayList<>();
    List<Sample> byReceipt =
        samples.stream()
            .filter(Sample::claims)
            .sorted(Comparator.comparingLong(Sample::receivedNanos))
            .toList();
    for (int i = 0; i < byReceipt.size(); i++) {
      Sample earlier = byReceipt.get(i);
      for (Sample later : byReceipt.subList(i + 1, byReceipt.size())) {
        boolean twice = later.epoch() == earlier.epoch() && !later.node().equals(earlier.node());
        boolean late =
            later.epoch() < earlier.epoch() && later.sentNanos() - earlier.receivedNanos() > 0;
        if (twice || late) {
          found.add(earlier + " and then " + later);
          break;
        }
      }
    }
    samples.stream()
        .filter(sample -> sample.status() == 200 && !sample.claims())
        .forEach(sample -> found.add("200 without leading: " + sample));
    return found;
  }

  @Override
  public void close() {
    over = true;
    threads.joinAll();
  }

  private void sample(ServiceJvm jvm, long pauseNanos) {
    while (!over && jvm.isAlive()) {
      try {
        AgentResponse reply = jvm.get(path);
        samples.add(
            new Sample(
                jvm.name(),
                path.equals("/leader") ? reply.status() : 0,
                reply.role(),
                reply.epoch(),
                reply.sentNanos(),
                reply.receivedNanos()));
      } catch (IOException e) {
        samples.add(new Sample(jvm.name(), 0, "(" + e.getMessage() + ")", 0, 0, 0));
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(pauseNanos);
    }
  }
}
