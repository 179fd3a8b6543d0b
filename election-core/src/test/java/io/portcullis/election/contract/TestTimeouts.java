package io.portcullis.election.contract;

import java.time.Duration;

/**
 * Time limits of tests that do not depend on how fast the machine is. A test that waits for a
 * condition waits for up to {@link #MAX_WAIT}, which costs nothing when the condition is met. A
 * test that needs a node to keep its leadership uses {@link #STEADY_LEASE}.
 */
public final class TestTimeouts {
  /** Maximum time to wait for anything that has to happen. */
  public static final Duration MAX_WAIT = Duration.ofMinutes(2);

  /** A lease that no pause of a busy machine outlasts. */
  public static final Duration STEADY_LEASE = Duration.ofMinutes(1);

  /**
   * A lease that outlasts {@link #MAX_WAIT}: whatever a test has awaited did not wait for the end
   * of such a lease, however slow the machine is.
   */
  public static final Duration OUTLASTING_LEASE = MAX_WAIT.multipliedBy(5);

  private TestTimeouts() {}
}
