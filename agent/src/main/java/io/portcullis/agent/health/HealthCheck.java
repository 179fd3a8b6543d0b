package io.portcullis.agent.health;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that must hold for a node to lead. */
interface HealthCheck {

  /** What is checked, for people: the same text each time. */
  String name();

  /** What is wrong, null if nothing is. May take longer than allowed, and may throw. */
  @Nullable String failure(Duration timeout) throws Exception;
}
