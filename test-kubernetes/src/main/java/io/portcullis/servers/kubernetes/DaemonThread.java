package io.portcullis.servers.kubernetes;

/** Creates threads that do not keep a JVM alive. */
final class DaemonThread {
  private DaemonThread() {}

  static void run(String what, Runnable task) {
    Thread thread = new Thread(task, "api-server-" + what);
    thread.setDaemon(true);
    thread.start();
  }
}
