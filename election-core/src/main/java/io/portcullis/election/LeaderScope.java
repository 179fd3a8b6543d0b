package io.portcullis.election;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A piece of work that this node was let in to do, from {@link LeaderElection#enter()} to {@link
 * #close()}. Letting go of leadership waits for it, within the bounds of draining.
 */
public final class LeaderScope implements AutoCloseable {
  private final Runnable leave;
  private final Tenure tenure;
  private final AtomicBoolean left = new AtomicBoolean();

  LeaderScope(Tenure tenure, Runnable leave) {
    this.tenure = tenure;
    this.leave = leave;
  }

  /** The fencing epoch, to be sent along with every write. */
  public long epoch() {
    return tenure.epoch();
  }

  /** Throws {@link NotLeadingException} if the tenure under which the work began is over. */
  public void ensureValid() {
    tenure.ensureValid();
  }

  /** The work has ended. */
  @Override
  public void close() {
    if (left.compareAndSet(false, true)) {
      leave.run();
    }
  }
}
