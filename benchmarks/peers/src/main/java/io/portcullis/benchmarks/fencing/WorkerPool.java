package io.portcullis.benchmarks.fencing;

import io.portcullis.benchmarks.failover.MeasurementException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that repeat the same work for some time. */
final class WorkerPool {
  private WorkerPool() {}

  /** One unit of work. */
  interface Task {
    void run() throws Exception;
  }

  /** Returns the total number of repetitions. */
  static long work(int size, Task task, Duration length) {
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      long end = System.nanoTime() + length.toNanos();
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        counts.add(threads.submit(() -> repeat(task, end)));
      }
      long sum = 0;
      for (Future<Long> count : counts) {
        sum += count.get();
      }
      return sum;
    } catch (ExecutionException e) {
      throw new MeasurementException("The work failed: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MeasurementException("The work was interrupted.");
    } finally {
      threads.shutdownNow();
    }
  }

  private static long repeat(Task task, long endNanos) throws Exception {
    long count = 0;
    while (System.nanoTime() - endNanos < 0) {
      task.run();
      count++;
    }
    return count;
  }
}
