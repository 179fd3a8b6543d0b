package io.portcullis.agent;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Halts the JVM because a service without its gate must not run. Neither a blocked standard error
 * nor a security manager that lets only the application end the JVM can prevent the halt.
 */
final class FatalExit {
  /** Maximum time to write the message; standard error may be a pipe that nobody reads. */
  private static final long MAX_PRINT_MILLIS = 1000;

  private FatalExit() {}

  /** Prints the reason and halts. */
  @SuppressWarnings("removal") // SecurityManager still exists on JDK 17, the oldest supported.
  static void say(String why, int exitCode) {
    AccessController.doPrivileged(
        (PrivilegedAction<Void>)
            () -> {
              try {
                printWithTimeout(why);
              } finally {
                Runtime.getRuntime().halt(exitCode);
              }
              return null;
            });
  }

  private static void printWithTimeout(String why) {
    Thread printer = new Thread(() -> print(why), "portcullis-fatal-exit");
    printer.setDaemon(true);
    printer.start();
    try {
      printer.join(MAX_PRINT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void print(String why) {
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
    err.println(why);
    err.flush();
  }
}
