package io.portcullis.election.simulation;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Virtual time and its scheduled events. Events at the same time run in the order of insertion. */
public final class EventQueue {
  private record ScheduledEvent(long time, long order, Runnable what)
      implements Comparable<ScheduledEvent> {
    @Override
    public int compareTo(ScheduledEvent other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<ScheduledEvent> entries = new PriorityQueue<>();
  private final Runnable afterEach;
  private long now;
  private long orders;

  /** Creates an empty queue at time 0; {@code afterEach} runs after every event. */
  public EventQueue(Runnable afterEach) {
    this.afterEach = afterEach;
  }

  /** The current time in nanoseconds. */
  public long now() {
    return now;
  }

  /** Schedules an event; an overdue event runs next. */
  public void at(long time, Runnable what) {
    entries.add(new ScheduledEvent(Math.max(time, now), orders++, what));
  }

  /** Runs to {@code end}, or until {@code enough}; returns whether {@code enough} was reached. */
  public boolean runUntil(long end, BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      ScheduledEvent due = entries.peek();
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
