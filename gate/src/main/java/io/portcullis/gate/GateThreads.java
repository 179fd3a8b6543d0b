package io.portcullis.gate;

/**
 * Makes the gate's own threads. The gate can't use the factory that all others use, since it lives
 * on the bootstrap loader and knows no other module. Its threads are short: each carries out one
 * task and ends.
 */
final class GateThreads {
  private static final ThreadGroup GROUP = new ThreadGroup(systemGroup(), "portcullis-gate");

  private GateThreads() {}

  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  /** A daemon thread with nothing of the application's. Not started yet. */
  static Thread unstarted(String name, Runnable task) {
    Thread thread = new Thread(GROUP, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }
}
