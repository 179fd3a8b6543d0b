package io.portcullis.gate;

/**
 * Creates the gate's own threads. The gate can't use the common thread factory, since it is on the
 * bootstrap loader and sees no other module. Each thread runs one short task and ends.
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

  /** Creates a daemon thread that inherits nothing from the application. Not started yet. */
  static Thread unstarted(String name, Runnable task) {
    Thread thread = new Thread(GROUP, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }
}
