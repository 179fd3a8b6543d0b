package io.portcullis.servers;

/** An action that runs when the JVM ends, unless it ran before. */
final class CleanupHook {
  private final Runnable task;
  private final Thread hook;

  CleanupHook(String name, Runnable task) {
    this.task = task;
    hook = new Thread(task, name);
  }

  /**
   * Registers the action for the end of the JVM.
   *
   * @throws IllegalStateException if the JVM is already ending
   */
  void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Runs the action now instead. */
  void runNow() {
    task.run();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending: the hook runs the action.
    }
  }
}
