package io.portcullis.it.freeze;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The child process: {@code CallLoopJvm gate|flag}. The package comment describes the protocol. */
public final class CallLoopJvm {
  static final int THREADS = 8;

  /** Far longer than any delay of a busy machine; reached only if the guard never shuts. */
  private static final long TIMEOUT_SECONDS = 120;

  private final CallGuard guard;
  private final List<CallLoopThread> hammers = new ArrayList<>();
  private long epoch;

  private CallLoopJvm(CallGuard guard) {
    this.guard = guard;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    CallLoopJvm jvm = new CallLoopJvm(CallGuard.named(args[0]));
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
      hammers.add(new CallLoopThread(guard, deadlineNanos));
    }
    hammers.forEach(Thread::start);
    for (CallLoopThread hammer : hammers) {
      hammer.awaitFirstPassUntilDeadline();
    }
    return "armed " + TimeUnit.NANOSECONDS.toMicros(deadlineNanos - System.nanoTime());
  }

  private String report() throws InterruptedException {
    for (CallLoopThread hammer : hammers) {
      if (!hammer.awaitFirstRefusal(TIMEOUT_SECONDS)) {
        break; // The counts show it.
      }
    }
    for (CallLoopThread hammer : hammers) {
      hammer.end();
    }
    FreezeReport report = FreezeReport.of(epoch, hammers);
    hammers.clear();
    return "report " + report.toLine();
  }
}
