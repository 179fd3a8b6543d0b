package io.portcullis.it.support;

import java.util.ArrayList;
import java.util.List;

/** Threads that work in the background until they are told to end. */
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
      } catch (InterruptedException e) { // The test is over; so are they, soon.
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
