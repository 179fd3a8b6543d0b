package io.portcullis.benchmarks.startup;

import io.portcullis.benchmarks.failover.MeasurementException;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the starts: jars, Redis, two witnesses of a quorum, and a folder for
 * configurations and logs. After {@link #close} nothing of it remains and nothing can be started.
 */
final class StartupEnvironment implements AutoCloseable {
  private static final Path PORTCULLIS = Path.of("agent", "target", "portcullis-agent.jar");
  private static final Path OPENTELEMETRY =
      Path.of("benchmarks", "peers", "target", "start-up", "opentelemetry-javaagent.jar");
  private static final Path APPLICATION =
      Path.of("test-apps", "spring-boot", "target", "spring-boot-app.jar");

  /**
   * Time to wait after the start of Redis: a server that has been up for less than a lease and a
   * second grants nothing.
   */
  private static final Duration REDIS_WARM_UP = Duration.ofSeconds(32);

  private final Path folder;
  private final RedisServer redis;
  private final QuorumWitnesses witnesses;
  private @Nullable ApplicationJvm running;
  private int starts;
  private boolean closed;

  private StartupEnvironment(Path folder, RedisServer redis, QuorumWitnesses witnesses) {
    this.folder = folder;
    this.redis = redis;
    this.witnesses = witnesses;
  }

  /** Prepares the environment; takes half a minute. */
  static StartupEnvironment open() throws IOException {
    for (Path needed : List.of(PORTCULLIS, OPENTELEMETRY, APPLICATION)) {
      if (!Files.isRegularFile(needed)) {
        throw new MeasurementException(needed + " is missing; benchmarks/start-up builds it.");
      }
    }
    Path folder = Files.createTempDirectory("portcullis-start-up-");
    RedisServer redis = RedisServer.startLocal();
    QuorumWitnesses witnesses = QuorumWitnesses.start(PORTCULLIS, folder);
    Pause.lasting(REDIS_WARM_UP);
    return new StartupEnvironment(folder, redis, witnesses);
  }

  /** Starts the application once, measures, and stops it. */
  StartMeasurement start(Path jdk, AttachedAgent agent) throws IOException, InterruptedException {
    starts++;
    List<String> command = new ArrayList<>();
    command.add(jdk.resolve("bin").resolve("java").toString());
    command.addAll(options(agent));
    command.addAll(List.of("-jar", APPLICATION.toString(), "--server.port=0"));
    try (ApplicationJvm service = open(command, folder.resolve(name() + ".log"))) {
      StartMeasurement started = service.measure();
      service.check(agent);
      return started;
    }
  }

  private synchronized ApplicationJvm open(List<String> command, Path log) throws IOException {
    if (closed) {
      throw new MeasurementException("It was ended.");
    }
    ApplicationJvm service = ApplicationJvm.start(command, log);
    running = service;
    return service;
  }

  private List<String> options(AttachedAgent agent) throws IOException {
    return switch (agent) {
      case NONE -> List.of();
      case PORTCULLIS_REDIS -> portcullis(ShopAgentConfig.withRedis(redis.uri(), name()));
      case PORTCULLIS_QUORUM -> portcullis(ShopAgentConfig.withQuorum(witnesses.members(), folder));
      case OPENTELEMETRY ->
          List.of(
              "-javaagent:" + OPENTELEMETRY,
              "-Dotel.traces.exporter=none",
              "-Dotel.metrics.exporter=none",
              "-Dotel.logs.exporter=none");
    };
  }

  private List<String> portcullis(String config) throws IOException {
    Path file = folder.resolve(name() + ".conf");
    Files.writeString(file, config);
    return List.of("-javaagent:" + PORTCULLIS + "=" + file);
  }

  /** Name of the current start. */
  private String name() {
    return "start-" + starts;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (running != null) {
      running.close();
    }
    witnesses.close();
    redis.close();
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
