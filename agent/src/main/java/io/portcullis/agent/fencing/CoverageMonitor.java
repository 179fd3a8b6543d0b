package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView.FenceCoverage;
import io.portcullis.fencing.weave.UnfencedDriver;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reports connections that no fence covers, which otherwise are noticed only after a late write:
 * drivers that can't be fenced, and fences that cover no connection while this node leads. Each is
 * logged once. Thread-safe.
 */
public final class CoverageMonitor {
  private final Supplier<List<FenceUsage>> uses;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;
  private final Map<String, UnusedFenceCheck> checks = new HashMap<>();
  private final Set<String> unused = new HashSet<>();
  private final Set<String> logged = new HashSet<>();
  private final Set<String> drivers = new TreeSet<>();

  /**
   * Reports nothing before the first call of {@link #driversFound} or {@link #check}.
   *
   * @param uses the current usage of each fence
   * @param nanoTime a monotonic clock
   * @param log takes warnings
   */
  CoverageMonitor(Supplier<List<FenceUsage>> uses, LongSupplier nanoTime, Consumer<String> log) {
    this.uses = uses;
    this.nanoTime = nanoTime;
    this.log = log;
  }

  /** Records drivers that this JVM uses and that can't be fenced. */
  public synchronized void driversFound(Collection<UnfencedDriver> found) {
    for (UnfencedDriver driver : found) {
      if (drivers.add(driver.artifact())) {
        log.accept(
            ("portcullis no fence covers connections of %s, a driver that this JVM has loaded: their"
                    + " writes are not checked. If they lead to a fenced database, use pgjdbc"
                    + " (org.postgresql) for these writes instead (docs/fencing.md)")
                .formatted(driver.artifact()));
      }
    }
  }

  /** Looks for unused fences. Must be called every few seconds. */
  synchronized void check() {
    long nowNanos = nanoTime.getAsLong();
    for (FenceUsage use : uses.get()) {
      UnusedFenceCheck check = checks.computeIfAbsent(use.fence(), fence -> new UnusedFenceCheck());
      if (!check.observe(use, nowNanos)) {
        unused.remove(use.fence());
      } else if (unused.add(use.fence()) && logged.add(use.fence())) {
        log.accept(
            ("portcullis election=%s fence=%s covers no connection of the application, although this"
                    + " node has led for %d s: none of its writes are checked. Compare the fence's"
                    + " match with the application's JDBC URL, and verify that it connects with"
                    + " pgjdbc (docs/fencing.md)")
                .formatted(use.election(), use.fence(), UnusedFenceCheck.MAX_UNUSED.toSeconds()));
      }
    }
  }

  synchronized FenceCoverage coverage(String fence) {
    return new FenceCoverage(unused.contains(fence), List.copyOf(drivers));
  }

  /**
   * Decides whether a fence is unused: its node has led for a minute, and in all that time the
   * fence covered no connection, so none of the application's writes are checked.
   *
   * <p>A connection counts while it is open, no matter how old or idle it is. A connection that was
   * opened and closed between two observations counts as well. Not thread-safe.
   */
  static final class UnusedFenceCheck {
    /** How long a leader's fence may cover no connection before it is reported. */
    static final Duration MAX_UNUSED = Duration.ofMinutes(1);

    private boolean waiting;
    private long unusedSinceNanos;
    private long openedBefore;

    /**
     * Adds an observation.
     *
     * @param nowNanos from a monotonic clock
     * @return whether the fence is unused
     */
    boolean observe(FenceUsage use, long nowNanos) {
      boolean isUsed = use.open() > 0 || use.opened() > openedBefore;
      openedBefore = use.opened();
      if (!use.leads() || isUsed) {
        waiting = false;
        return false;
      }
      if (!waiting) {
        waiting = true;
        unusedSinceNanos = nowNanos;
      }
      return nowNanos - unusedSinceNanos >= MAX_UNUSED.toNanos();
    }
  }

  /**
   * Usage of a fence at one moment, summed over all databases that it covers.
   *
   * @param leads whether this node leads the fence's election
   * @param open connections of the application that the fence covers now
   * @param opened number of connections that it has covered since startup
   */
  record FenceUsage(String fence, String election, boolean leads, int open, long opened) {}
}
