package io.portcullis.agent.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Looks for classes that got past the weaver, and has them woven. A JVM loads a class unwoven if
 * the thread that loads it has no stack left to call the weaver, or is inside the weaver itself.
 * Where as many classes are loaded as before, most looks are left out.
 */
final class MissedClassScan implements Runnable {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  /** One class may have come while another went. */
  private static final int MAX_SKIPPED = 5;

  /** No number of classes: whatever is loaded is to be looked through. */
  private static final int UNKNOWN = -1;

  private final IntSupplier loadedClasses;
  private final List<Runnable> weavings;
  private int loadedBefore = UNKNOWN;
  private int skipped;

  /**
   * Does nothing by itself.
   *
   * @param loadedClasses how many there are at this moment
   * @param weavings what to do at a look; none is kept from it by another's failure
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
      // What fails is tried again at the next look.
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
