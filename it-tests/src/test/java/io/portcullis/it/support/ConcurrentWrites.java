package io.portcullis.it.support;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Writes continuously to several nodes, over several connections each, until closed. */
public final class ConcurrentWrites implements AutoCloseable {
  private static final int CONNECTIONS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long PAUSE_NANOS = 5_000_000;

  private final Queue<WriteResult> writes = new ConcurrentLinkedQueue<>();
  private final BackgroundThreads threads = new BackgroundThreads();
  private volatile boolean over;

  private ConcurrentWrites() {}

  public static ConcurrentWrites at(ServiceJvm... jvms) {
    Stream.of(jvms).forEach(ServiceJvm::serviceUrl);
    ConcurrentWrites storm = new ConcurrentWrites();
    for (ServiceJvm jvm : jvms) {
      for (int i = 0; i < CONNECTIONS; i++) {
        storm.threads.start("write-storm", () -> storm.writeUntilClosed(jvm));
      }
    }
    return storm;
  }

  public List<WriteResult> writes() {
    return List.copyOf(writes);
  }

  public long accepted() {
    return writes.stream().filter(WriteResult::accepted).count();
  }

  @Override
  public void close() {
    over = true;
    threads.joinAll();
  }

  private void writeUntilClosed(ServiceJvm jvm) {
    while (!over && jvm.isAlive()) {
      writes.add(jvm.writeAsync(TIMEOUT).join());
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
