package com.acme.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Works repeatedly. After the first success it interrupts all threads that it can find, by their
 * groups and one by one, for a number of rounds.
 */
public final class InterruptingService {
  private static final int ROUNDS = 20;
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private InterruptingService() {}

  public static void main(String[] args) throws InterruptedException {
    while (!works()) {
      pause();
    }
    for (int i = 0; i < ROUNDS; i++) {
      interruptAll();
      pause();
      System.out.println("work: " + (works() ? "done" : "refused"));
    }
    System.out.println("interrupted: " + agentThreads().stream().map(Thread::getName).toList());
    while (true) {
      pause();
      System.out.println("work: " + (works() ? "done" : "refused"));
    }
  }

  private static void interruptAll() {
    Thread.currentThread().getThreadGroup().interrupt();
    systemGroup().interrupt();
    agentThreads().forEach(Thread::interrupt);
    boolean unused =
        Thread.interrupted(); // Clears the flag of its own thread, which was among them.
  }

  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  private static List<Thread> agentThreads() {
    List<Thread> threads = new ArrayList<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("portcullis"));
    threads.sort(Comparator.comparing(Thread::getName));
    return threads;
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void pause() throws InterruptedException {
    if (NEVER.await(50, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("never");
    }
  }

  static void work() {}
}
