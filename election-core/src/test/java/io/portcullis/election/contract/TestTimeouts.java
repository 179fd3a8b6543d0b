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

  private TestTimeouts() {}
}
