package io.portcullis.it.support;

import static java.net.http.HttpResponse.BodyHandlers.ofString;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A running JVM, accessed like its users and operators do. */
public final class ServiceJvm implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(5);

  /** Gated calls may wait for the store's first response. */
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(20);

  private static final Pattern SERVICE = Pattern.compile("listening on (http://\\S+:\\d+) as ");
  private static final Pattern AGENT =
      Pattern.compile("portcullis .*listening on (http://\\S+:\\d+)");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(HTTP_TIMEOUT)
          .build();

  private final String name;
  private final Process process;
  private final ProcessOutput output;
  private final Thread killer;
  private volatile String serviceUrl = "";
  private volatile String agentUrl = "";

  ServiceJvm(String name, Process process, boolean stderrRead) {
    this.name = name;
    this.process = process;
    this.output = new ProcessOutput(process, stderrRead);
    this.killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  public String name() {
    return name;
  }

  public ProcessOutput output() {
    return output;
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The URL of the service; waits until it listens. */
  public String serviceUrl() {
    if (serviceUrl.isEmpty()) {
      serviceUrl = awaitMatch(false, SERVICE).group(1);
    }
    return serviceUrl;
  }

  /** The URL of the agent; waits until it listens. */
  public String agentUrl() {
    if (agentUrl.isEmpty()) {
      agentUrl = awaitMatch(true, AGENT).group(1);
    }
    return agentUrl;
  }

  /** Sets the agent's port, for JVMs whose log does not show it. */
  public ServiceJvm agentPort(int port) {
    agentUrl = "http://127.0.0.1:" + port;
    return this;
  }

  public AgentResponse get(String path) throws IOException, InterruptedException {
    return send("GET", path);
  }

  public AgentResponse status() throws IOException, InterruptedException {
    return get("/api/status");
  }

  public AgentResponse send(String method, String path) throws IOException, InterruptedException {
    return sendWithToken(method, path, "", "");
  }

  /** Sends a request with an admin token and a body; both may be empty. */
  public AgentResponse sendWithToken(String method, String path, String token, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(agentUrl() + path))
            .timeout(HTTP_TIMEOUT)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      builder.header("Authorization", "Bearer " + token);
    }
    HttpRequest request = builder.build();
    long sent = System.nanoTime();
    HttpResponse<String> response = CLIENT.send(request, ofString());
    return new AgentResponse(response.statusCode(), response.body(), sent, System.nanoTime());
  }

  /** Sends one transfer and returns its outcome. */
  public WriteResult write() {
    return writeAsync(WRITE_TIMEOUT).join();
  }

  public CompletableFuture<WriteResult> writeAsync(Duration timeout) {
    String id = UUID.randomUUID().toString();
    String body = "{\"id\":\"" + id + "\",\"from\":\"a\",\"to\":\"b\",\"amount\":1}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(serviceUrl() + "/transfers"))
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return CLIENT
        .sendAsync(request, ofString())
        .handle((answer, error) -> write(id, answer, error));
  }

  private static WriteResult write(String id, HttpResponse<String> answer, Throwable error) {
    if (error != null) {
      return new WriteResult(id, WriteResult.Outcome.FAILED, error.toString());
    }
    WriteResult.Outcome outcome =
        switch (answer.statusCode()) {
          case 201 -> WriteResult.Outcome.ACCEPTED;
          case 503 -> WriteResult.Outcome.REFUSED;
          default -> WriteResult.Outcome.FAILED;
        };
    return new WriteResult(id, outcome, answer.statusCode() + " " + answer.body());
  }

  public String role() {
    try {
      return status().role();
    } catch (IOException e) {
      return "(" + e + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "(interrupted)";
    }
  }

  public ServiceJvm awaitRole(String role) {
    await("role " + role, () -> role().equals(role) ? Optional.of(role) : Optional.empty());
    return this;
  }

  public boolean leads() {
    return role().equals("LEADER");
  }

  public OutputLine awaitLog(Predicate<String> wanted) {
    return await("a line", () -> find(wanted));
  }

  public OutputLine awaitLog(String part) {
    return await("a line with: " + part, () -> find(text -> text.contains(part)));
  }

  public Optional<OutputLine> find(Predicate<String> wanted) {
    return output.lines().stream().filter(line -> wanted.test(line.text())).findFirst();
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // Process.destroy() would also stop reading the output.
  }

  /** Sends SIGKILL; returns when the process has ended. */
  public void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
    output.awaitEnd();
  }

  /** Waits for the end and returns the exit code. */
  public int awaitExit() throws InterruptedException {
    return awaitExit(TIMEOUT);
  }

  public int awaitExit(Duration timeout) throws InterruptedException {
    if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(name + " did not end within " + timeout + ":\n" + output.all());
    }
    output.awaitEnd();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(killer);
  }

  private Matcher awaitMatch(boolean stderr, Pattern pattern) {
    return await(
        "a line like " + pattern,
        () ->
            output.lines().stream()
                .filter(line -> line.stderr() == stderr)
                .map(line -> pattern.matcher(line.text()))
                .filter(Matcher::find)
                .findFirst());
  }

  private <T> T await(String what, Supplier<Optional<T>> seen) {
    return Awaitility.await(name + ": " + what)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .failFast(name + " has ended", () -> !process.isAlive() && seen.get().isEmpty())
        .until(seen::get, Optional::isPresent)
        .orElseThrow();
  }
}
