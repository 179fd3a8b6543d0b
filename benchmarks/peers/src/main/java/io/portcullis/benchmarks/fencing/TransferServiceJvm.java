package io.portcullis.benchmarks.fencing;

import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.servers.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM that runs the {@link TransferService} with the agent. */
final class TransferServiceJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter orders;

  private TransferServiceJvm(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts a JVM that leads its own election, with a fence or without. */
  static TransferServiceJvm start(PostgresServer postgres, Path folder, String name, boolean fenced)
      throws IOException {
    Path file =
        AgentJvm.config(
            postgres,
            folder,
            name,
            TransferService.class.getName() + "#transfer(..)",
            fenced ? "ungated = fence" : null);
    return new TransferServiceJvm(
        new ProcessBuilder(
                AgentJvm.java(),
                AgentJvm.option(file),
                "-cp",
                System.getProperty("java.class.path"),
                TransferService.class.getName(),
                postgres.url(),
                postgres.user())
            .redirectError(folder.resolve(name + ".log").toFile())
            .start());
  }

  /** Measures transactions of two statements per second over this time. */
  double writes(Duration length) throws IOException {
    return rate("write", length);
  }

  /** Measures reads of ten rows per second over this time. */
  double reads(Duration length) throws IOException {
    return rate("read", length);
  }

  private double rate(String kind, Duration length) throws IOException {
    orders.println(kind + " " + length.toMillis());
    long begun = System.nanoTime();
    String answer = answers.readLine();
    while (answer != null && !answer.startsWith("done ")) {
      answer = answers.readLine();
    }
    if (answer == null || System.nanoTime() - begun > length.plus(PATIENCE).toNanos()) {
      throw new MeasurementException("The service did not answer to " + kind + ".");
    }
    return Long.parseLong(answer.substring("done ".length())) * 1e3 / length.toMillis();
  }

  @Override
  public void close() {
    orders.close();
    AgentJvm.awaitEnd(process);
  }
}
