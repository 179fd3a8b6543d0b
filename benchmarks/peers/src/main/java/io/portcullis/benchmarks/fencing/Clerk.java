package io.portcullis.benchmarks.fencing;

import io.portcullis.benchmarks.failover.CannotMeasure;
import io.portcullis.servers.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A JVM that runs the {@link Counter} behind the agent. */
final class Clerk implements AutoCloseable {
  private static final Path AGENT = Path.of("agent", "target", "portcullis-agent.jar");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter orders;

  private Clerk(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts one; it leads an election of its own, with a fence or without. */
  static Clerk start(PostgresServer postgres, Path folder, String name, boolean fenced)
      throws IOException {
    String fence =
        "fences = [ { id = main, url = \"%s\", user = \"%s\" } ]"
            .formatted(postgres.url(), postgres.user());
    String config =
        """
        portcullis {
          service = %s
          elections { writer { backend = postgres, postgres { url = "%s", user = "%s" } } }
          rules = [ { id = transfer, match = "%s#transfer(..)", action = wait, timeout = 1m } ]
          %s
          http.enabled = false
        }
        """
            .formatted(
                name,
                postgres.url(),
                postgres.user(),
                Counter.class.getName(),
                fenced ? fence : "");
    Path file = Files.writeString(folder.resolve(name + ".conf"), config);
    return new Clerk(
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-javaagent:" + AGENT + "=" + file,
                "-cp",
                System.getProperty("java.class.path"),
                Counter.class.getName(),
                postgres.url(),
                postgres.user())
            .redirectError(folder.resolve(name + ".log").toFile())
            .start());
  }

  /** How many times a second it did this, for so long. */
  double rate(String kind, Duration length) throws IOException {
    orders.println(kind + " " + length.toMillis());
    long begun = System.nanoTime();
    String answer = answers.readLine();
    while (answer != null && !answer.startsWith("done ")) {
      answer = answers.readLine();
    }
    if (answer == null || System.nanoTime() - begun > length.plus(PATIENCE).toNanos()) {
      throw new CannotMeasure("The service did not answer to " + kind + ".");
    }
    return Long.parseLong(answer.substring("done ".length())) * 1e3 / length.toMillis();
  }

  @Override
  public void close() {
    orders.close();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
