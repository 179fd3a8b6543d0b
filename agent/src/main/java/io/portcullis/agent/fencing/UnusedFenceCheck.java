package io.portcullis.agent.fencing;

import java.time.Duration;

/**
 * Decides whether a fence is unused: its node has led for a minute, and in all that time the fence
 * covered no connection, so nothing that the application writes is compared.
 *
 * <p>A connection counts while it is open, however long ago it was opened and however idle it is.
 * One that was opened and closed between two observations counts as well. Not thread-safe.
 */
final class UnusedFenceCheck {
  /** How long a leader's fence may cover no connection before it is reported. */
  static final Duration MAX_UNUSED = Duration.ofMinutes(1);

  private boolean waiting;
  private long unusedSinceNanos;
  private long openedBefore;

  /**
   * Adds an observation.
   *
   * @param nowNanos by a monotonic clock
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
