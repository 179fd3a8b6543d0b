package io.portcullis.benchmarks.fencing;

import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.servers.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The demo service in a separate JVM with the agent, accessed over HTTP. */
final class DemoServiceJvm implements AutoCloseable {
  static final int TRANSFERS = 1000;

  private static final Path SERVICE = Path.of("demo-service", "target", "demo-service.jar");
  private static final int CUSTOMERS = 2;
  private static final int SHOWN = 10;
  private static final String GREETING = "ledger listening on ";

  private final Process process;
  private final String address;

  private DemoServiceJvm(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Starts a JVM that leads its own election, with a fence or without. */
  static DemoServiceJvm start(PostgresServer postgres, Path folder, String name, boolean fenced)
      throws IOException {
    // It creates its table at startup, before any node leads.
    Path file =
        AgentJvm.config(
            postgres,
            folder,
            name,
            "com.acme.ledger.Ledger#append(..)",
            fenced ? "ungated = pass" : null);
    ProcessBuilder builder =
        new ProcessBuilder(AgentJvm.java(), AgentJvm.option(file), "-jar", SERVICE.toString());
    builder.environment().put("PORT", "0");
    builder.environment().put("DB_URL", postgres.url());
    builder.environment().put("DB_USER", postgres.user());
    Process process = builder.redirectError(folder.resolve(name + ".log").toFile()).start();
    try {
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(GREETING)) {
          return new DemoServiceJvm(process, line.substring(GREETING.length()).split(" ", 2)[0]);
        }
      }
      throw new MeasurementException(
          "The demo service did not start: see " + name + ".log in " + folder);
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Measures reads of transfers per second over this time. */
  double reads(Duration length) throws IOException {
    return WorkerPool.work(CUSTOMERS, this::read, length) * 1e3 / length.toMillis();
  }

  private void read() throws IOException {
    int after = ThreadLocalRandom.current().nextInt(TRANSFERS - SHOWN);
    URL url = URI.create(address + "/transfers?after=" + after + "&limit=" + SHOWN).toURL();
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    try (InputStream body = connection.getInputStream()) {
      if (body.readAllBytes().length < SHOWN) {
        throw new MeasurementException("The demo service shows nothing.");
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
    AgentJvm.awaitEnd(process);
  }

  /** Inserts transfers to read into the table that the service has created. */
  static void fill(PostgresServer postgres) {
    postgres.execute(
        "insert into transfers (id, source, target, amount, writer, at)"
            + " select 'id-' || n, 'a', 'b', n, 'desk', now() from generate_series(1, "
            + TRANSFERS
            + ") n");
    postgres.execute("analyze transfers");
  }
}
