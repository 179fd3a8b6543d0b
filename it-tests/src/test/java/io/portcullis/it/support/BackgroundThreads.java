package io.portcullis.it.support;

import java.util.ArrayList;
import java.util.List;

/** Background threads of a test, which {@link #joinAll} ends. */
final class BackgroundThreads {
  private final List<Thread> threads = new ArrayList<>();

  void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  void joinAll() {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) { // The test has ended, and its threads end soon.
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
