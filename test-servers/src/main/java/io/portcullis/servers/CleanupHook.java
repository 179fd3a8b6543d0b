package io.portcullis.servers;

/** What is done when the JVM ends, unless it was done before. */
final class CleanupHook {
  private final Runnable task;
  private final Thread hook;

  CleanupHook(String name, Runnable task) {
    this.task = task;
    hook = new Thread(task, name);
  }

  /**
   * Has it done at the end of the JVM.
   *
   * @throws IllegalStateException if the JVM is ending already
   */
  void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Does it now instead. */
  void runNow() {
    task.run();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending: the hook has nothing left to do.
    }
  }
}
