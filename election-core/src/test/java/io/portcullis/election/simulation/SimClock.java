package io.portcullis.election.simulation;

import io.portcullis.election.machine.StepContext.ClockReading;
import java.util.SplittableRandom;

/**
 * A node's clocks: the monotonic clock runs slightly fast or slow, the wall clock may be stepped.
 */
public final class SimClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long origin;
  private final double rate;
  private long wallStepMillis;

  /** Creates clocks whose rate differs from real time by at most {@code drift}. */
  public SimClock(double drift, SplittableRandom random) {
    // The origin of a monotonic clock is arbitrary; some start just before the wrap-around.
    this.origin =
        random.nextInt(4) == 0
            ? Long.MAX_VALUE - random.nextLong(1L << 37)
            : random.nextLong(1L << 50);
    // Prefers extreme rates, where the safety margin is smallest.
    double pull =
        random.nextInt(3) == 0 ? (random.nextBoolean() ? 1 : -1) : random.nextDouble(-1, 1);
    this.rate = 1 + drift * pull;
  }

  /** The monotonic clock at the world's {@code time}. */
  public long nanosAt(long time) {
    return origin + (long) (rate * time);
  }

  /** Both clocks at the world's {@code time}. */
  public ClockReading readAt(long time) {
    return new ClockReading(nanosAt(time), time / NANOS_PER_MILLI + wallStepMillis);
  }

  /** The world's time at which this clock shows {@code nanos}, or slightly later. */
  public long timeOf(long nanos) {
    return (long) ((nanos - origin) / rate) + 2;
  }

  /** Steps the wall clock. */
  public void stepWall(long millis) {
    wallStepMillis += millis;
  }
}
