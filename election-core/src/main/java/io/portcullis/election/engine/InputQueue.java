package io.portcullis.election.engine;

import io.portcullis.election.machine.Input;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Queue of the machine's inputs. Bounded: responses are limited by the number of requests, and at
 * most one hint is queued.
 */
final class InputQueue {
  /** Far more than any reasonable number of queued commands and late responses. */
  private static final int MAX_QUEUED = 1024;

  private final BlockingQueue<Input> inputs = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final AtomicBoolean hinted = new AtomicBoolean();

  /** Returns false if the queue is full. A response refused here counts as lost. */
  boolean offer(Input input) {
    return inputs.offer(input);
  }

  void hint() {
    if (hinted.compareAndSet(false, true) && !inputs.offer(new Input.Hint())) {
      hinted.set(false);
    }
  }

  /** Returns the next input, or a tick if none arrives in time. */
  Input take(long atMostNanos) throws InterruptedException {
    Input next = inputs.poll(Math.max(0, atMostNanos), TimeUnit.NANOSECONDS);
    if (next instanceof Input.Hint) {
      hinted.set(false);
    }
    return next == null ? new Input.Tick() : next;
  }
}
