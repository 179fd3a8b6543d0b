package io.portcullis.backend.quorum.sim;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Wakes one thread of a process at a time of its monotonic clock, sometimes a little late. */
final class SimTimer {
  private static final long MAX_LATENESS_NANOS = 20_000_000L;

  private final SimWorld world;
  private final SimProcess process;
  private final SplittableRandom random;
  private final Runnable fire;
  private OptionalLong setTo = OptionalLong.empty();
  private long version;

  SimTimer(SimWorld world, SimProcess process, SplittableRandom random, Runnable fire) {
    this.world = world;
    this.process = process;
    this.random = random;
    this.fire = fire;
  }

  /** Replaces the earlier time. */
  void set(OptionalLong atNanos) {
    if (atNanos.equals(setTo)) {
      return;
    }
    setTo = atNanos;
    version++;
    if (atNanos.isPresent()) {
      long firedVersion = version;
      long late = random.nextInt(20) == 0 ? random.nextLong(MAX_LATENESS_NANOS) : 1000;
      long due = Math.max(world.now() + 1, process.clock().timeOf(atNanos.getAsLong())) + late;
      world.at(due, () -> process.run(() -> fire(firedVersion)));
    }
  }

  private void fire(long firedVersion) {
    if (firedVersion == version) {
      setTo = OptionalLong.empty();
      fire.run();
    }
  }
}
