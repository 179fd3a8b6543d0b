package io.portcullis.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A real Postgres server: the one named by the system property {@value #ADDRESS_PROPERTY}, else one
 * in Docker, else one from the binary inside a Maven artifact. It authenticates no one.
 */
public final class PostgresServer implements AutoCloseable {
  /**
   * System property with a running server to use instead of starting one: {@code host:port} of a
   * server that accepts the user {@code postgres} without a password.
   */
  public static final String ADDRESS_PROPERTY = "portcullis.test.postgres";

  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final ServerStarter STARTUP = new ServerStarter("Postgres", START_TIMEOUT);

  /**
   * Small memory settings, so that many servers fit on one machine; durability settings are
   * unchanged.
   */
  private static final List<String> DEFAULTS =
      List.of("shared_buffers = 16MB", "max_connections = 200");

  /** Keeps enough WAL for a replica that was disconnected for a while. */
  private static final String KEPT_FOR_REPLICAS = "wal_keep_size = 64MB";

  private final PostgresAddress address;
  private final PostgresControl running;

  private PostgresServer(PostgresControl running) {
    this.address = running.address();
    this.running = running;
  }

  /**
   * Starts a server, or uses the supplied one.
   *
   * @param settings lines of a postgresql.conf, such as {@code deadlock_timeout = 100ms}; a
   *     supplied server keeps its own
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
   * Starts a server as processes on this machine, even if Docker is available: for servers with
   * replicas.
   */
  public static PostgresServer startLocal(String... settings) {
    return startLocal(PostgresTemplate.made(), withDefaults(settings));
  }

  /**
   * Starts a server of another version as processes on this machine.
   *
   * @param artifact a file with its binaries, in the format of the artifact that this module
   *     depends on
   */
  public static PostgresServer startOf(Path artifact, String... settings) {
    return startLocal(PostgresTemplate.madeOf(artifact), lines(DEFAULTS, settings));
  }

  private static PostgresServer startLocal(PostgresTemplate version, List<String> lines) {
    return started(port -> new LocalPostgres(port, version, version::copyTo), lines);
  }

  /**
   * Starts a streaming replica of this server on its own port. It has this server's settings unless
   * the given ones override them.
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

  /** Host on which the server listens. */
  public String host() {
    return address.host();
  }

  /** Port on which the server listens. */
  public int port() {
    return address.port();
  }

  /** Name of the superuser, who needs no password. */
  public String user() {
    return PostgresAddress.USER;
  }

  /** JDBC URL of the superuser's database. */
  public String url() {
    return url(PostgresAddress.USER);
  }

  /** JDBC URL of a database. */
  public String url(String database) {
    return address.url(database);
  }

  /** Opens a superuser connection, which the caller closes. */
  public Connection connect() {
    return address.connect();
  }

  /** Runs statements as superuser, on a new connection. */
  public void execute(String sql) {
    address.execute(sql);
  }

  /**
   * Runs a query as superuser, on a new connection, and returns the first column of the first row:
   * empty if there is none, or if it is null.
   */
  public String query(String sql) {
    return address.query(sql);
  }

  /** Whether the server can be killed, restarted and paused; a supplied server can't. */
  public boolean isControllable() {
    return !(running instanceof ExternalPostgres);
  }

  /** Kills all processes of the server, without a chance to write anything. */
  public void kill() {
    running.kill();
  }

  /** Shuts the server down gracefully, which closes its connections, and waits for its end. */
  public void stop() {
    running.stop();
  }

  /** Restarts the server on the same port with the same data; kills it first if it runs. */
  public void restart() {
    STARTUP.restart(running);
  }

  /** Pauses all processes of the server: connections stay open, but get no responses. */
  public void pause() {
    running.pause();
  }

  /** Resumes a paused server and all of its paused backends. */
  public void resume() {
    running.resume();
  }

  /** Pauses the process that serves the connection with this {@code pg_backend_pid()}. */
  public void pauseBackend(int pid) {
    running.pauseBackend(pid);
  }

  /** Resumes a paused backend. */
  public void resumeBackend(int pid) {
    running.resumeBackend(pid);
  }

  /** Promotes a replica, and returns once it accepts writes. */
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
