package io.portcullis.agent.health;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A condition that must hold for a node to lead. */
interface HealthCheck {

  /** Display name for logs and status; constant for one check. */
  String name();

  /**
   * Runs the check. May exceed the timeout, and may throw; the caller handles both as a failure.
   *
   * @return the failure, null if the check passed
   */
  @Nullable String failure(Duration timeout) throws Exception;
}
