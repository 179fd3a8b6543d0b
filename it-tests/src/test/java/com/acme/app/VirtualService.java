package com.acme.app;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Works on thousands of virtual threads at once, each of which pauses during its work: takes very
 * long if they pin the few carrier threads.
 */
public final class VirtualService {
  private static final int THREADS = 5_000;
  private static final long REST_NANOS = 100_000_000L;

  private VirtualService() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    while (true) {
      AtomicInteger done = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      long start = System.nanoTime();
      try (Closing threads = new Closing(newThreadEach())) {
        for (int i = 0; i < THREADS; i++) {
          threads.executor.execute(() -> attempt(done, refused));
        }
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.println(outcome(done.get(), refused.get()));
      System.out.println("took " + millis + " ms");
    }
  }

  /** Uses reflection, since the code is compiled for a JDK without virtual threads. */
  private static ExecutorService newThreadEach() throws ReflectiveOperationException {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static String outcome(int done, int refused) {
    if (done == THREADS) {
      return "work: done";
    }
    return refused == THREADS ? "work: refused" : "some: " + done + " done, " + refused;
  }

  private static void attempt(AtomicInteger done, AtomicInteger refused) {
    try {
      work();
      done.incrementAndGet();
    } catch (IllegalStateException e) {
      refused.incrementAndGet();
    }
  }

  static void work() {
    LockSupport.parkNanos(REST_NANOS);
  }

  /** Executors are closeable only on later JDKs. */
  private record Closing(ExecutorService executor) implements AutoCloseable {
    @Override
    public void close() {
      executor.shutdown();
      while (!executor.isTerminated()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}
