package com.acme.ledger;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** Runs the service's jar as a separate process on a free port. */
final class LedgerProcess implements AutoCloseable {
  private static final Path JAR = Path.of("target", "demo-service.jar");
  private static final Pattern READY =
      Pattern.compile("ledger listening on (http://127\\.0\\.0\\.1:\\d+) as (\\S+)");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Process process;
  private final Path output;
  private String url = "";

  private LedgerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts the service and waits until it listens. */
  static LedgerProcess start(Path folder, Map<String, String> env) throws IOException {
    LedgerProcess started = launch(folder, env);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              if (!started.process.isAlive()) {
                throw new IllegalStateException("ended: " + started.output());
              }
              Matcher ready = READY.matcher(started.output());
              if (ready.find()) {
                started.url = ready.group(1);
              }
              return !started.url.isEmpty();
            });
    return started;
  }

  /** Starts the service without waiting. */
  static LedgerProcess launch(Path folder, Map<String, String> env) throws IOException {
    Path output = Files.createTempFile(folder, "ledger", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            JAR.toAbsolutePath().toString());
    builder.directory(folder.toFile());
    builder.environment().put("PORT", "0");
    builder.environment().putAll(env);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new LedgerProcess(builder.start(), output);
  }

  String url() {
    return url;
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url + path)).build());
  }

  HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url + "/transfers"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Stops the service with SIGTERM and returns its exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return awaitExit();
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(15, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the service did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
