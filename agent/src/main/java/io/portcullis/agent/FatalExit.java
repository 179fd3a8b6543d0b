package io.portcullis.agent;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Ends the JVM because a service without its gate must not run. Nothing may stand in the way: not a
 * standard error that nobody reads, nor a security manager that allows only the application to end
 * the JVM.
 */
final class FatalExit {
  /** Whoever reads standard error has this long to do so. */
  private static final long PATIENCE_MILLIS = 1000;

  private FatalExit() {}

  /** Says why and halts. */
  @SuppressWarnings("removal") // There are security managers as long as there is JDK 17.
  static void say(String why, int exitCode) {
    AccessController.doPrivileged(
        (PrivilegedAction<Void>)
            () -> {
              try {
                tell(why);
              } finally {
                Runtime.getRuntime().halt(exitCode);
              }
              return null;
            });
  }

  private static void tell(String why) {
    Thread speaker = new Thread(() -> print(why), "portcullis-last-words");
    speaker.setDaemon(true);
    speaker.start();
    try {
      speaker.join(PATIENCE_MILLIS);
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
