package io.portcullis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A real Redis server: the one that the system property {@value #GIVEN} names ({@code host:port}),
 * else one in Docker, else one from the binary inside a Maven artifact.
 */
public final class RedisServer implements AutoCloseable {
  /** Names a running server to be used instead of starting one. */
  public static final String GIVEN = "portcullis.test.redis";

  private static final int PORTS_TRIED = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String host;
  private final int port;
  private final RunningRedis running;

  private RedisServer(String host, int port, RunningRedis running) {
    this.host = host;
    this.port = port;
    this.running = running;
  }

  /**
   * Starts a server, or takes the one that was given.
   *
   * @param settings lines of a redis.conf, or flags such as {@code --appendonly yes}; nothing is
   *     kept on disk unless they say so
   */
  public static RedisServer start(String... settings) {
    String given = System.getProperty(GIVEN);
    if (given != null && !given.isBlank()) {
      int colon = given.lastIndexOf(':');
      return new RedisServer(
          given.substring(0, colon),
          Integer.parseInt(given.substring(colon + 1)),
          new GivenRedis(given));
    }
    return Docker.ANSWERS ? started(true, settings) : startLocal(settings);
  }

  /**
   * Starts a server as a process of this machine, also where Docker answers: for servers that must
   * reach each other, such as replicas and sentinels ({@code --sentinel}).
   */
  public static RedisServer startLocal(String... settings) {
    return started(false, settings);
  }

  private static RedisServer started(boolean inDocker, String... settings) {
    IllegalStateException last = new IllegalStateException("no port was tried");
    for (int i = 0; i < PORTS_TRIED; i++) { // A free port may be taken before the server has it.
      int port = LoopbackPort.free();
      RunningRedis running = inDocker ? new ContainerRedis(port) : new LocalRedis(port);
      try {
        running.start(lines(settings));
        RedisServer server = new RedisServer("127.0.0.1", port, running);
        server.awaitReady();
        return server;
      } catch (IllegalStateException e) {
        running.close();
        last = e;
      } catch (IOException e) {
        running.close();
        throw new UncheckedIOException(e);
      }
    }
    throw last;
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
    return host;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** Where a client finds it. */
  public String uri() {
    return "redis://" + host + ":" + port;
  }

  /** Whether it can be killed, restarted and paused; a server that was given can't. */
  public boolean isControllable() {
    return !(running instanceof GivenRedis);
  }

  /** Ends the server at once, without a chance to save anything. */
  public void kill() {
    running.kill();
  }

  /** Starts it again on the same port after {@link #kill()}, or kills and starts it. */
  public void restart() {
    running.kill();
    try {
      running.startAgain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitReady();
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

  private void awaitReady() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!RedisPing.isAnsweredAt(host, port)) {
      if (!running.isAlive()) {
        throw new IllegalStateException("Redis ended at its start: " + running.log());
      }
      if (deadline - System.nanoTime() < 0) {
        throw new IllegalStateException(
            "Redis on port " + port + " did not answer within " + PATIENCE + ": " + running.log());
      }
      LoopbackPort.pauseBriefly();
    }
  }
}
