package io.portcullis.agent.start;

import io.portcullis.rules.Weaver;
import java.lang.instrument.Instrumentation;
import java.time.Duration;

/**
 * Looks for classes that got past the weaver, and has them woven. A JVM loads a class unwoven if
 * the thread that loads it has no stack left to call the weaver. Where no class has come or gone
 * since the last look, there is nothing to look at.
 */
final class Sweep implements Runnable {
  static final Duration PAUSE = Duration.ofSeconds(2);

  private final Weaver weaver;
  private final Instrumentation instrumentation;
  private int loadedBefore;

  Sweep(Weaver weaver, Instrumentation instrumentation) {
    this.weaver = weaver;
    this.instrumentation = instrumentation;
  }

  @Override
  public void run() {
    int loaded = instrumentation.getAllLoadedClasses().length;
    if (loaded != loadedBefore) {
      loadedBefore = loaded;
      weaver.weaveLoaded(instrumentation);
    }
  }
}
