package io.portcullis.agent.start;

import java.lang.instrument.Instrumentation;
import java.time.Duration;

/**
 * Looks for classes that got past the weaver, and has them woven. A JVM loads a class unwoven if
 * the thread that loads it has no stack left to call the weaver, or is inside the weaver itself.
 * Where as many classes are loaded as before, most looks are left out.
 */
final class Sweep implements Runnable {
  static final Duration PAUSE = Duration.ofSeconds(2);

  /** One class may have come while another went. */
  private static final int MOST_LEFT_OUT = 5;

  private final Runnable weaving;
  private final Instrumentation instrumentation;
  private int loadedBefore;
  private int leftOut;

  Sweep(Runnable weaving, Instrumentation instrumentation) {
    this.weaving = weaving;
    this.instrumentation = instrumentation;
  }

  @Override
  public void run() {
    int loaded = instrumentation.getAllLoadedClasses().length;
    if (loaded != loadedBefore || ++leftOut == MOST_LEFT_OUT) {
      loadedBefore = loaded;
      leftOut = 0;
      weaving.run();
    }
  }
}
