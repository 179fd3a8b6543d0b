package io.portcullis.it.freeze;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The child process: {@code WriteLoopJvm gate|flag}. The package comment tells the protocol. */
public final class WriteLoopJvm {
  static final int THREADS = 8;

  /** Far beyond any delay of a busy machine; reached only if the guard never shuts. */
  private static final long PATIENCE_SECONDS = 120;

  private final Guard guard;
  private final List<WriteLoop> hammers = new ArrayList<>();
  private long epoch;

  private WriteLoopJvm(Guard guard) {
    this.guard = guard;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    WriteLoopJvm jvm = new WriteLoopJvm(Guard.named(args[0]));
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    String command;
    while ((command = commands.readLine()) != null) {
      System.out.println(jvm.answer(command));
    }
  }

  private String answer(String command) throws InterruptedException {
    List<String> words = List.of(command.split(" ", -1));
    return switch (words.get(0)) {
      case "arm" -> arm(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
      case "report" -> report();
      default -> "unknown command: " + command;
    };
  }

  private String arm(long newEpoch, long leaseMillis) throws InterruptedException {
    epoch = newEpoch;
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
    guard.open(epoch, deadlineNanos);
    for (int i = 0; i < THREADS; i++) {
      hammers.add(new WriteLoop(guard, deadlineNanos));
    }
    hammers.forEach(Thread::start);
    for (WriteLoop hammer : hammers) {
      hammer.awaitFirstPassUntilDeadline();
    }
    return "armed " + TimeUnit.NANOSECONDS.toMicros(deadlineNanos - System.nanoTime());
  }

  private String report() throws InterruptedException {
    for (WriteLoop hammer : hammers) {
      if (!hammer.awaitFirstRefusal(PATIENCE_SECONDS)) {
        break; // The counts will tell.
      }
    }
    for (WriteLoop hammer : hammers) {
      hammer.end();
    }
    FreezeReport report = FreezeReport.of(epoch, hammers);
    hammers.clear();
    return "report " + report.toLine();
  }
}
