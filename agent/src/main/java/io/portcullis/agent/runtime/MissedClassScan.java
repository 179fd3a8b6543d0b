package io.portcullis.agent.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Finds loaded classes that were not woven, and weaves them. The JVM loads a class unwoven if the
 * loading thread has no stack left to call the weaver, or is inside the weaver itself. Most scans
 * are skipped while the number of loaded classes does not change.
 */
final class MissedClassScan implements Runnable {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  /**
   * Maximum number of successive runs without a scan: the number of loaded classes also stays the
   * same if one class was loaded and another unloaded.
   */
  private static final int MAX_SKIPPED = 5;

  /** Matches no number of loaded classes, so the next run scans. */
  private static final int UNKNOWN = -1;

  private final IntSupplier loadedClasses;
  private final List<Runnable> weavings;
  private int loadedBefore = UNKNOWN;
  private int skipped;

  /**
   * Creates a scan; call {@link #run} periodically.
   *
   * @param loadedClasses supplies the current number of loaded classes
   * @param weavings run at each scan; each runs even if an earlier one fails
   */
  MissedClassScan(IntSupplier loadedClasses, Runnable... weavings) {
    this.loadedClasses = loadedClasses;
    this.weavings = List.of(weavings);
  }

  @Override
  public void run() {
    int loaded = loadedClasses.getAsInt();
    if (loaded != loadedBefore || ++skipped == MAX_SKIPPED) {
      skipped = 0;
      // If a weaving fails, the next run scans again.
      loadedBefore = UNKNOWN;
      weaveFrom(0);
      loadedBefore = loaded;
    }
  }

  private void weaveFrom(int first) {
    if (first < weavings.size()) {
      try {
        weavings.get(first).run();
      } finally {
        weaveFrom(first + 1);
      }
    }
  }
}
