package com.acme.app;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A workshop that first writes to standard error until the pipe is full; one of its threads then
 * blocks permanently while it holds the lock of {@code System.err}. Can also do so as an agent.
 */
public final class BlockedStderrService {
  private static final String FILLER = ".".repeat(1023);
  private static final long MAX_BYTES = 16L << 20;

  private BlockedStderrService() {}

  public static void main(String[] args) throws InterruptedException {
    fillStderr();
    Workshop.main(args);
  }

  public static void premain(String unused, Instrumentation unusedToo) throws InterruptedException {
    fillStderr();
  }

  private static void fillStderr() throws InterruptedException {
    AtomicLong written = new AtomicLong();
    Thread writer = new Thread(() -> write(written), "stderr-filler");
    writer.setDaemon(true);
    writer.start();
    CountDownLatch never = new CountDownLatch(1);
    long before;
    do {
      before = written.get();
    } while (!never.await(300, TimeUnit.MILLISECONDS)
        && (written.get() == 0 || written.get() != before));
    System.out.println(writer.isAlive() ? "stderr is stuck" : "stderr took everything");
  }

  private static void write(AtomicLong written) {
    while (written.get() < MAX_BYTES) {
      System.err.println(FILLER);
      written.addAndGet(FILLER.length() + 1L);
    }
  }
}
