package io.portcullis.election.engine;

import io.portcullis.election.machine.Input;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What waits to be told to the machine. Bounded: answers by requests, hints by being one. */
final class InputQueue {
  /** Far more than any sane number of orders and late answers at once. */
  private static final int MAX_QUEUED = 1024;

  private final BlockingQueue<Input> inputs = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final AtomicBoolean hinted = new AtomicBoolean();

  /** False if it is full. An answer refused here is one that never came. */
  boolean offer(Input input) {
    return inputs.offer(input);
  }

  void hint() {
    if (hinted.compareAndSet(false, true) && !inputs.offer(new Input.Hint())) {
      hinted.set(false);
    }
  }

  /** The next input, or a tick if none comes in time. */
  Input take(long atMostNanos) throws InterruptedException {
    Input next = inputs.poll(Math.max(0, atMostNanos), TimeUnit.NANOSECONDS);
    if (next instanceof Input.Hint) {
      hinted.set(false);
    }
    return next == null ? new Input.Tick() : next;
  }
}
