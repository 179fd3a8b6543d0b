package io.portcullis.it.freeze;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.gate.Gate;
import io.portcullis.it.support.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The parent process: one child JVM with one guard, which can be frozen repeatedly. */
final class FreezeHarness implements AutoCloseable {
  private static final Duration LEASE = Duration.ofMillis(400);

  /** How much longer than the deadline the pause is. */
  private static final Duration OVERTIME = Duration.ofMillis(150);

  /** Attempts: on a busy machine signals or threads may be too late, which proves nothing. */
  private static final int ATTEMPTS_PER_REPETITION = 10;

  private final Process child;
  private final BufferedReader answers;
  private final PrintWriter commands;
  private final Thread killer;
  private long epoch;

  private FreezeHarness(Process child) {
    this.child = child;
    this.answers = child.inputReader(UTF_8);
    this.commands = new PrintWriter(child.outputWriter(UTF_8), true);
    this.killer = new Thread(child::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  /**
   * @param guard one of the names that {@link CallGuard#named} knows
   */
  static FreezeHarness start(Path javaHome, String guard) throws IOException {
    return new FreezeHarness(
        new ProcessBuilder(
                javaHome.resolve("bin").resolve("java").toString(),
                "-Xmx64m",
                "-cp",
                classPathOf(Gate.class) + File.pathSeparator + classPathOf(CallLoopJvm.class),
                CallLoopJvm.class.getName(),
                guard)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /**
   * Freezes the child across a deadline, after a call of each thread has passed.
   *
   * @return the reports: the last one is of the requested freeze, those before are of attempts that
   *     were too late
   */
  List<FreezeReport> freezeOnce() throws IOException, InterruptedException {
    List<FreezeReport> reports = new ArrayList<>();
    while (reports.size() < ATTEMPTS_PER_REPETITION) {
      String armed = ask("arm " + ++epoch + " " + LEASE.toMillis(), "armed ");
      Duration left = Duration.ofNanos(Math.max(0, Long.parseLong(armed)) * 1_000);
      Duration pause = left.plus(OVERTIME);
      boolean stopped = Signals.freeze(child.toHandle(), pause);
      FreezeReport report = FreezeReport.parse(ask("report", "report "));
      reports.add(report);
      if (stopped && report.frozeAcrossTheDeadline(pause)) {
        return reports;
      }
    }
    throw new IllegalStateException("no freeze was in time: " + reports);
  }

  /** Sends SIGKILL, which also ends a stopped process. */
  @Override
  public void close() throws IOException {
    child.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(killer);
    commands.close();
    answers.close();
  }

  private String ask(String command, String expected) throws IOException {
    commands.println(command);
    String answer = answers.readLine();
    if (answer == null || !answer.startsWith(expected)) {
      throw new IllegalStateException(
          "child responded to '%s' with '%s'".formatted(command, answer));
    }
    return answer.substring(expected.length());
  }

  private static String classPathOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
