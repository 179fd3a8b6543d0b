package io.portcullis.election.simulation;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Virtual time, and what is due when. What is due at the same time happens as it was entered. */
public final class EventQueue {
  private record Due(long time, long order, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Due> entries = new PriorityQueue<>();
  private final Runnable afterEach;
  private long now;
  private long orders;

  /** An empty agenda at time 0; {@code afterEach} runs after every event. */
  public EventQueue(Runnable afterEach) {
    this.afterEach = afterEach;
  }

  /** The present time in nanoseconds. */
  public long now() {
    return now;
  }

  /** Enters an event; one that is overdue happens next. */
  public void at(long time, Runnable what) {
    entries.add(new Due(Math.max(time, now), orders++, what));
  }

  /** Runs to {@code end}, or until {@code enough}; true if it was enough. */
  public boolean runUntil(long end, BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      Due due = entries.peek();
      if (due == null || due.time() > end) {
        now = end;
        return enough.getAsBoolean();
      }
      entries.remove();
      now = due.time();
      due.what().run();
      afterEach.run();
    }
    return true;
  }
}
