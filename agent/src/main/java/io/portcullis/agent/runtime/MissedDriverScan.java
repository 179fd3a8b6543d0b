package io.portcullis.agent.runtime;

import io.portcullis.agent.fencing.CoverageMonitor;
import io.portcullis.fencing.weave.DriverWeaver;
import io.portcullis.fencing.weave.UnfencedDriver;
import io.portcullis.fencing.weave.UnwovenDriver;
import java.lang.instrument.Instrumentation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the application's database drivers woven as they are loaded, and those that got past the
 * weaver when it is run. Reports known drivers that can't be fenced. Does nothing before it is
 * begun.
 */
final class MissedDriverScan implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final Instrumentation instrumentation;
  private final Consumer<UnwovenDriver> failures;
  private volatile @Nullable DriverWeaver weaver;
  private volatile @Nullable CoverageMonitor coverage;

  MissedDriverScan(Instrumentation instrumentation, Consumer<UnwovenDriver> failures) {
    this.instrumentation = instrumentation;
    this.failures = failures;
  }

  /** Nothing of the application has run before this: what is loaded is no surprise. */
  void begin(CoverageMonitor monitor) {
    DriverWeaver begun = new DriverWeaver(MissedDriverScan::isOwn, failures);
    coverage = monitor;
    instrumentation.addTransformer(begun, true);
    weaver = begun;
    begun.weaveLoaded(instrumentation);
  }

  private static boolean isOwn(@Nullable ClassLoader loader) {
    return loader != null && AgentInstaller.isOurs(loader);
  }

  @Override
  public void run() {
    DriverWeaver begun = weaver;
    CoverageMonitor monitor = coverage;
    if (begun == null || monitor == null) {
      return;
    }
    monitor.driversFound(
        UnfencedDriver.among(instrumentation.getAllLoadedClasses(), MissedDriverScan::isOwn));
    for (Class<?> late : begun.weaveLoaded(instrumentation)) {
      LOG.warn(
          "portcullis {} of {} was loaded without a transformer being asked, and is woven only now."
              + " Until now nothing compared what its connections wrote; each of them is cut at its"
              + " next use, and new ones are fenced",
          late.getName(),
          late.getClassLoader());
    }
  }
}
