package io.portcullis.backend.quorum.sim;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Wakes one thread of a process when its monotonic clock shows a time; now and then a bit late. */
final class SimTimer {
  private static final long MAX_LATENESS_NANOS = 20_000_000L;

  private final SimWorld world;
  private final SimProcess process;
  private final SplittableRandom random;
  private final Runnable ring;
  private OptionalLong setTo = OptionalLong.empty();
  private long settings;

  SimTimer(SimWorld world, SimProcess process, SplittableRandom random, Runnable ring) {
    this.world = world;
    this.process = process;
    this.random = random;
    this.ring = ring;
  }

  /** Takes the place of any earlier time. */
  void set(OptionalLong atNanos) {
    if (atNanos.equals(setTo)) {
      return;
    }
    setTo = atNanos;
    settings++;
    if (atNanos.isPresent()) {
      long setting = settings;
      long late = random.nextInt(20) == 0 ? random.nextLong(MAX_LATENESS_NANOS) : 1000;
      long due = Math.max(world.now() + 1, process.clock().timeOf(atNanos.getAsLong())) + late;
      world.at(due, () -> process.run(() -> ring(setting)));
    }
  }

  private void ring(long setting) {
    if (setting == settings) {
      setTo = OptionalLong.empty();
      ring.run();
    }
  }
}
