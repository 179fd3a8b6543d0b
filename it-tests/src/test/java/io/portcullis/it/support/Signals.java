package io.portcullis.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Pauses processes with POSIX signals. */
public final class Signals {
  private static final Path PROC = Path.of("/proc");
  private static final Duration POLL = Duration.ofMillis(2);

  private Signals() {}

  public static boolean available() throws InterruptedException {
    try {
      return shell("kill -0 $$", "self").waitFor() == 0;
    } catch (IOException noShell) {
      return false;
    }
  }

  /**
   * Sends SIGSTOP and, after the pause, SIGCONT. A shell sends both, so the process continues even
   * if this JVM is killed meanwhile.
   *
   * @return whether the process was observed to be stopped; true if the system does not show it
   */
  public static boolean freeze(ProcessHandle process, Duration pause)
      throws IOException, InterruptedException {
    String seconds = String.format(Locale.ROOT, "%d.%03d", pause.toSeconds(), pause.toMillisPart());
    Process shell =
        shell(
            "kill -STOP $0 && sleep " + seconds + "; kill -CONT $0", Long.toString(process.pid()));
    if (!Files.exists(stat(process))) {
      shell.waitFor();
      return true;
    }
    boolean stopped;
    do {
      stopped = isStopped(process);
    } while (!stopped && !shell.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS));
    shell.waitFor();
    return stopped;
  }

  /** Sends SIGSTOP and returns when the process is stopped, as far as the system shows it. */
  public static void stop(ProcessHandle process) throws IOException, InterruptedException {
    send("STOP", process);
    while (Files.exists(stat(process)) && !isStopped(process)) {
      Thread.onSpinWait();
    }
  }

  /** Continues a stopped process. */
  public static void resume(ProcessHandle process) throws IOException, InterruptedException {
    send("CONT", process);
  }

  private static void send(String signal, ProcessHandle process)
      throws IOException, InterruptedException {
    int code = shell("kill -" + signal + " $0", Long.toString(process.pid())).waitFor();
    if (code != 0) {
      throw new IOException("kill -" + signal + " " + process.pid() + " ended with " + code);
    }
  }

  /** The state is the first field after the command's name, which ends with the last bracket. */
  private static boolean isStopped(ProcessHandle process) throws IOException {
    String stat = Files.readString(stat(process));
    return stat.startsWith("T", stat.lastIndexOf(')') + 2);
  }

  private static Path stat(ProcessHandle process) {
    return PROC.resolve(Long.toString(process.pid())).resolve("stat");
  }

  private static Process shell(String script, String argument) throws IOException {
    return new ProcessBuilder("sh", "-c", script, argument).inheritIO().start();
  }
}
