package io.portcullis.election.fence;

import org.jspecify.annotations.Nullable;

/**
 * Lets one request be in flight at a time. A request without a response is abandoned after a
 * timeout, so that an unresponsive fence is asked again, but not flooded with requests.
 */
final class InFlightGuard {
  private final long timeoutNanos;
  private @Nullable Long sinceNanos;
  private long dueNanos;

  InFlightGuard(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Sets when the next request is due. */
  void dueAt(long nanos) {
    dueNanos = nanos;
  }

  boolean isDue(long nowNanos) {
    return nowNanos - dueNanos >= 0;
  }

  /** Starts a request; false while another is in flight. */
  boolean tryStart(long nowNanos) {
    if (sinceNanos != null && nowNanos - sinceNanos < timeoutNanos) {
      return false;
    }
    sinceNanos = nowNanos;
    return true;
  }

  /** Ends the request that was started at this time. */
  void end(long startedNanos) {
    if (sinceNanos != null && sinceNanos == startedNanos) {
      sinceNanos = null;
    }
  }
}
