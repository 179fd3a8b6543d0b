package io.portcullis.it.support;

import java.time.Duration;
import org.awaitility.Awaitility;

/** Waits for a fixed time, for faults that have to last. */
public final class Elapsed {
  private Elapsed() {}

  /** Returns once {@code length} has passed since the moment {@code startNanos}. */
  public static void await(Duration length, long startNanos) {
    Awaitility.await()
        .atMost(length.plusSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> System.nanoTime() - startNanos >= length.toNanos());
  }
}
