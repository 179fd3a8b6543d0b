package io.portcullis.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A real Redis server: the one named by the system property {@value #ADDRESS_PROPERTY} ({@code
 * host:port}), else one in Docker, else one from the binary inside a Maven artifact.
 */
public final class RedisServer implements AutoCloseable {
  /** System property with a running server to use instead of starting one. */
  public static final String ADDRESS_PROPERTY = "portcullis.test.redis";

  private static final ServerStarter STARTUP = new ServerStarter("Redis", Duration.ofMinutes(2));

  private final ServerControl running;

  private RedisServer(ServerControl running) {
    this.running = running;
  }

  /**
   * Starts a server, or uses the supplied one.
   *
   * @param settings lines of a redis.conf, or flags such as {@code --appendonly yes}; by default
   *     nothing is persisted
   */
  public static RedisServer start(String... settings) {
    String given = System.getProperty(ADDRESS_PROPERTY, "");
    return switch (ServerSource.choose(given, DockerAvailability.IS_AVAILABLE)) {
      case EXTERNAL -> new RedisServer(new ExternalServer(given));
      case CONTAINER -> started(ContainerRedis::new, settings);
      case LOCAL -> startLocal(settings);
    };
  }

  /**
   * Starts a server as a process on this machine, even if Docker is available: for servers that
   * must reach each other, such as replicas and sentinels ({@code --sentinel}).
   */
  public static RedisServer startLocal(String... settings) {
    return started(LocalRedis::new, settings);
  }

  /**
   * Starts a server as a process on this machine whose wall clock can be set while it runs.
   *
   * @param library libfaketime's shared library
   * @param clock a file with the offset from the real time, such as {@code +60s}
   */
  public static RedisServer startWithClock(Path library, Path clock) {
    return started(port -> LocalRedis.withClock(port, library, clock));
  }

  private static RedisServer started(IntFunction<ServerControl> kind, String... settings) {
    return new RedisServer(STARTUP.onFreePort(kind, lines(settings)));
  }

  private static List<String> lines(String... settings) {
    List<String> lines = new ArrayList<>();
    if (!Arrays.asList(settings).contains("--sentinel")) {
      lines.add("save \"\"");
      lines.add("appendonly no");
    }
    for (String setting : settings) {
      lines.add(setting.startsWith("--") ? setting.substring(2) : setting);
    }
    return lines;
  }

  /** Host on which the server listens. */
  public String host() {
    return running.host();
  }

  /** Port on which the server listens. */
  public int port() {
    return running.port();
  }

  /** URI of the server. */
  public String uri() {
    return "redis://" + host() + ":" + port();
  }

  /** Whether the server can be killed, restarted and paused; a supplied server can't. */
  public boolean isControllable() {
    return !(running instanceof ExternalServer);
  }

  /** Kills the server, without a chance to save anything. */
  public void kill() {
    running.kill();
  }

  /** Restarts the server on the same port; kills it first if it runs. */
  public void restart() {
    STARTUP.restart(running);
  }

  /** Pauses the server: connections stay open, but get no responses. */
  public void pause() {
    running.pause();
  }

  /** Resumes a paused server. */
  public void resume() {
    running.resume();
  }

  @Override
  public void close() {
    running.close();
  }
}
