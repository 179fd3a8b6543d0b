package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls competitors of several kinds and fails if two lead at the same time. */
final class SingleLeaderMonitor implements AutoCloseable {
  private static final long POLL_NANOS = 500_000;

  private final Map<String, BooleanSupplier> rivals = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  SingleLeaderMonitor() {
    Thread thread = new Thread(this::run, "rivals");
    thread.setDaemon(true);
    thread.start();
  }

  void add(String name, BooleanSupplier leads) {
    rivals.put(name, leads);
  }

  private void run() {
    while (!over) {
      rivals.forEach(this::compare);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void compare(String name, BooleanSupplier leads) {
    if (!leads.getAsBoolean()) {
      return;
    }
    rivals.forEach(
        (otherName, otherLeads) -> {
          // Leading before and after the check of the other one: so leading during it.
          if (!otherName.equals(name) && otherLeads.getAsBoolean() && leads.getAsBoolean()) {
            violations.add(name + " and " + otherName + " led at once");
          }
        });
  }

  @Override
  public void close() {
    assertThat(violations).isEmpty();
    over = true;
  }
}
