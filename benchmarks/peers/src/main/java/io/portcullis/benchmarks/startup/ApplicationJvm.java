package io.portcullis.benchmarks.startup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.benchmarks.failover.MeasurementException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Controls the application's JVM. */
final class ApplicationJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * Time from "Started" until memory is measured; background work of the start has ended by then.
   */
  private static final Duration MEMORY_SETTLING = Duration.ofSeconds(3);

  /** Maximum time for an election; a longer one indicates a failure. */
  private static final Duration MAX_CAMPAIGN = Duration.ofSeconds(30);

  private static final Duration LOOK = Duration.ofMillis(200);

  private static final Pattern STARTED = Pattern.compile("Started \\w+ in ([0-9.]+) seconds");
  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
  private static final Pattern ADDRESS = Pattern.compile("portcullis listening on (http://\\S+)");
  private static final String ARMED = "\"state\":\"ARMED\"";
  private static final String LEADS = "\"role\":\"LEADER\"";
  private static final String OPENTELEMETRY_IS_THERE = "opentelemetry-javaagent - version: ";

  /** A log line and the time when it was read. */
  private record Line(long nanos, Duration own) {}

  private final Process process;
  private final Path log;
  private final long begunNanos;
  private final CompletableFuture<Line> started = new CompletableFuture<>();

  private ApplicationJvm(Process process, Path log, long begunNanos) {
    this.process = process;
    this.log = log;
    this.begunNanos = begunNanos;
    Thread reader = new Thread(this::read, "service-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the JVM. Its standard error goes to the log, its standard output is read. */
  static ApplicationJvm start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    // Settings that this shell may have for other purposes.
    builder
        .environment()
        .keySet()
        .removeIf(
            name ->
                name.startsWith("PORTCULLIS")
                    || name.startsWith("OTEL_")
                    || name.equals("JAVA_TOOL_OPTIONS")
                    || name.equals("JDK_JAVA_OPTIONS"));
    long begunNanos = System.nanoTime();
    return new ApplicationJvm(builder.start(), log, begunNanos);
  }

  private void read() {
    try (BufferedReader in = process.inputReader(UTF_8)) {
      in.lines().forEach(this::note);
    } catch (IOException | UncheckedIOException e) {
      started.completeExceptionally(e);
    }
    started.completeExceptionally(new IOException("it ended"));
  }

  private void note(String line) {
    long nanos = System.nanoTime();
    Matcher said = STARTED.matcher(line);
    if (said.find()) {
      double seconds = Double.parseDouble(said.group(1));
      started.complete(new Line(nanos, Duration.ofMillis(Math.round(seconds * 1000))));
    }
  }

  /** Waits for the "Started" line, and a while longer. */
  StartMeasurement measure() throws IOException, InterruptedException {
    Line line;
    try {
      line = started.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new MeasurementException(
          "The application did not start: " + e + ". Its log:\n" + log());
    }
    Duration processor = process.info().totalCpuDuration().orElse(Duration.ZERO);
    Pause.lasting(MEMORY_SETTLING.minusNanos(System.nanoTime() - line.nanos()));
    return new StartMeasurement(
        Duration.ofNanos(line.nanos() - begunNanos), line.own(), processor, peakKib());
  }

  private long peakKib() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      throw new MeasurementException("Memory is read from /proc, which only Linux has.");
    }
    return Long.parseLong(find(PEAK, Files.readString(status)).group(1));
  }

  /**
   * Verifies that the agent is active, since an inactive one would cost nothing. Called after all
   * measurements.
   */
  void check(AttachedAgent agent) throws IOException, InterruptedException {
    if (agent.isPortcullis()) {
      URI uri = URI.create(find(ADDRESS, log()).group(1) + "/api/status");
      checkArmed(status(uri));
      awaitLeadership(uri);
    } else if (agent == AttachedAgent.OPENTELEMETRY && !log().contains(OPENTELEMETRY_IS_THERE)) {
      throw new MeasurementException("OpenTelemetry did not log its start. The log:\n" + log());
    }
  }

  private static void checkArmed(String status) {
    int armed = status.split(Pattern.quote(ARMED), -1).length - 1;
    if (armed != ShopAgentConfig.RULES.size()) {
      throw new MeasurementException(
          "%d of %d rules are armed: %s".formatted(armed, ShopAgentConfig.RULES.size(), status));
    }
  }

  private static void awaitLeadership(URI uri) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    String status = status(uri);
    while (!status.contains(LEADS)) {
      if (System.nanoTime() - begun > MAX_CAMPAIGN.toNanos()) {
        throw new MeasurementException("The node does not lead: " + status);
      }
      Pause.lasting(LOOK);
      status = status(uri);
    }
  }

  private static String status(URI uri) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), BodyHandlers.ofString())
        .body();
  }

  private static MatchResult find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new MeasurementException(pattern + " is not in:\n" + text);
    }
    return matcher.toMatchResult();
  }

  private String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
