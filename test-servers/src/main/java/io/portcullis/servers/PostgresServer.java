package io.portcullis.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A real Postgres server: the one that the system property {@value #ADDRESS_PROPERTY} names, else
 * one in Docker, else one from the binary inside a Maven artifact. It trusts everybody who reaches
 * it.
 */
public final class PostgresServer implements AutoCloseable {
  /**
   * Names a running server to be used instead of starting one: {@code host:port} of one that trusts
   * the user {@code postgres} from here.
   */
  public static final String ADDRESS_PROPERTY = "portcullis.test.postgres";

  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final ServerStarter STARTUP = new ServerStarter("Postgres", START_TIMEOUT);

  /** Small, for the sake of many servers on one machine; what is durable stays durable. */
  private static final List<String> DEFAULTS =
      List.of("shared_buffers = 16MB", "max_connections = 200");

  /** A replica that was away for a while still finds what it has missed. */
  private static final String KEPT_FOR_REPLICAS = "wal_keep_size = 64MB";

  private final PostgresAddress address;
  private final PostgresControl running;

  private PostgresServer(PostgresControl running) {
    this.address = running.address();
    this.running = running;
  }

  /**
   * Starts a server, or takes the one that was given.
   *
   * @param settings lines of a postgresql.conf, such as {@code deadlock_timeout = 100ms}; a server
   *     that was given keeps its own
   */
  public static PostgresServer start(String... settings) {
    String given = System.getProperty(ADDRESS_PROPERTY, "");
    return switch (ServerSource.choose(given, DockerAvailability.IS_AVAILABLE)) {
      case EXTERNAL -> new PostgresServer(new ExternalPostgres(given));
      case CONTAINER -> started(ContainerPostgres::new, withDefaults(settings));
      case LOCAL -> startLocal(settings);
    };
  }

  /**
   * Starts a server as processes of this machine, also where Docker answers: for servers that are
   * to have replicas.
   */
  public static PostgresServer startLocal(String... settings) {
    return startLocal(PostgresTemplate.made(), withDefaults(settings));
  }

  /**
   * Starts a server of another version as processes of this machine.
   *
   * @param artifact a file with its binaries, made like the artifact that this module depends on
   */
  public static PostgresServer startOf(Path artifact, String... settings) {
    return startLocal(PostgresTemplate.madeOf(artifact), lines(DEFAULTS, settings));
  }

  private static PostgresServer startLocal(PostgresTemplate version, List<String> lines) {
    return started(port -> new LocalPostgres(port, version, version::copyTo), lines);
  }

  /**
   * Starts a streaming replica of this server on a port of its own. It has this server's settings
   * as far as the given ones say nothing else.
   *
   * @throws UnsupportedOperationException if this server was not started by {@link #startLocal}
   */
  public PostgresServer startReplica(String... settings) {
    if (!(running instanceof LocalPostgres primary)) {
      throw new UnsupportedOperationException("only a local server can have replicas here");
    }
    PostgresBackup backup = new PostgresBackup(address, primary.data());
    return started(port -> new LocalPostgres(port, primary.version(), backup), List.of(settings));
  }

  private static PostgresServer started(IntFunction<PostgresControl> kind, List<String> lines) {
    return new PostgresServer(STARTUP.onFreePort(kind, lines));
  }

  private static List<String> withDefaults(String... settings) {
    List<String> lines = lines(DEFAULTS, KEPT_FOR_REPLICAS);
    lines.addAll(List.of(settings));
    return lines;
  }

  private static List<String> lines(List<String> first, String... then) {
    List<String> lines = new ArrayList<>(first);
    lines.addAll(List.of(then));
    return lines;
  }

  /** The host it listens on. */
  public String host() {
    return address.host();
  }

  /** The port it listens on. */
  public int port() {
    return address.port();
  }

  /** The superuser, who needs no password. */
  public String user() {
    return PostgresAddress.USER;
  }

  /** Where a client finds the superuser's database. */
  public String url() {
    return url(PostgresAddress.USER);
  }

  /** Where a client finds a database. */
  public String url(String database) {
    return address.url(database);
  }

  /** A connection of the superuser, which the caller closes. */
  public Connection connect() {
    return address.connect();
  }

  /** Runs statements as superuser, in a connection of their own. */
  public void execute(String sql) {
    address.execute(sql);
  }

  /**
   * Asks as superuser, in a connection of its own, for the first column of the first row: empty if
   * there is none, or if it is null.
   */
  public String query(String sql) {
    return address.query(sql);
  }

  /** Whether it can be killed, restarted and paused; a server that was given can't. */
  public boolean isControllable() {
    return !(running instanceof ExternalPostgres);
  }

  /** Ends all processes of the server at once, without a chance to write anything. */
  public void kill() {
    running.kill();
  }

  /** Shuts the server down in order, which ends its connections, and awaits its end. */
  public void stop() {
    running.stop();
  }

  /** Starts it again on the same port with the same data; kills it before if it runs. */
  public void restart() {
    STARTUP.restart(running);
  }

  /** Stops all processes of the server where they stand: connections stay, nothing is answered. */
  public void pause() {
    running.pause();
  }

  /** Lets a paused server go on, and every backend of it that was paused. */
  public void resume() {
    running.resume();
  }

  /** Stops the one process that serves the connection whose {@code pg_backend_pid()} is given. */
  public void pauseBackend(int pid) {
    running.pauseBackend(pid);
  }

  /** Lets a paused backend go on. */
  public void resumeBackend(int pid) {
    running.resumeBackend(pid);
  }

  /** Makes a replica a server of its own, and returns once it accepts writes. */
  public void promote() {
    if (!query("SELECT pg_promote(true, " + START_TIMEOUT.toSeconds() + ")").equals("t")) {
      throw new IllegalStateException(
          "the replica was not promoted within " + START_TIMEOUT + ": " + running.log());
    }
  }

  @Override
  public void close() {
    running.close();
  }
}
