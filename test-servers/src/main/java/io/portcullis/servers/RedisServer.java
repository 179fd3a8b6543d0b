package io.portcullis.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A real Redis server: the one that the system property {@value #ADDRESS_PROPERTY} names ({@code
 * host:port}), else one in Docker, else one from the binary inside a Maven artifact.
 */
public final class RedisServer implements AutoCloseable {
  /** Names a running server to be used instead of starting one. */
  public static final String ADDRESS_PROPERTY = "portcullis.test.redis";

  private static final ServerStarter STARTUP = new ServerStarter("Redis", Duration.ofMinutes(2));

  private final ServerControl running;

  private RedisServer(ServerControl running) {
    this.running = running;
  }

  /**
   * Starts a server, or takes the one that was given.
   *
   * @param settings lines of a redis.conf, or flags such as {@code --appendonly yes}; nothing is
   *     kept on disk unless they say so
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
   * Starts a server as a process of this machine, also where Docker answers: for servers that must
   * reach each other, such as replicas and sentinels ({@code --sentinel}).
   */
  public static RedisServer startLocal(String... settings) {
    return started(LocalRedis::new, settings);
  }

  /**
   * Starts a server as a process of this machine whose wall clock can be set while it runs.
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

  /** The host it listens on. */
  public String host() {
    return running.host();
  }

  /** The port it listens on. */
  public int port() {
    return running.port();
  }

  /** Where a client finds it. */
  public String uri() {
    return "redis://" + host() + ":" + port();
  }

  /** Whether it can be killed, restarted and paused; a server that was given can't. */
  public boolean isControllable() {
    return !(running instanceof ExternalServer);
  }

  /** Ends the server at once, without a chance to save anything. */
  public void kill() {
    running.kill();
  }

  /** Starts it again on the same port after {@link #kill()}, or kills and starts it. */
  public void restart() {
    STARTUP.restart(running);
  }

  /** Stops the server where it stands: connections stay, nothing is answered. */
  public void pause() {
    running.pause();
  }

  /** Lets a paused server go on. */
  public void resume() {
    running.resume();
  }

  @Override
  public void close() {
    running.close();
  }
}
