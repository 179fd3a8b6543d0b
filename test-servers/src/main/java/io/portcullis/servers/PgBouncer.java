package io.portcullis.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The real PgBouncer in front of a Postgres server, if this machine has it. It authenticates no
 * one; every client is the server's superuser.
 */
public final class PgBouncer implements AutoCloseable {
  private static final ServerStarter STARTUP =
      new ServerStarter("PgBouncer", Duration.ofMinutes(2));

  private final LocalPgBouncer running;

  private PgBouncer(LocalPgBouncer running) {
    this.running = running;
  }

  /** Whether PgBouncer is on the path, or where Debian installs it. */
  public static boolean isInstalled() {
    return binary().isPresent();
  }

  static Optional<Path> binary() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)),
            Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts PgBouncer in front of all databases of a server.
   *
   * @param settings lines of a pgbouncer.ini, such as {@code pool_mode = transaction}
   */
  public static PgBouncer before(PostgresServer server, String... settings) {
    return new PgBouncer(
        STARTUP.onFreePort(port -> new LocalPgBouncer(port, server), List.of(settings)));
  }

  /** JDBC URL of a database through PgBouncer. */
  public String url(String database) {
    return new PostgresAddress(running.host(), running.port()).url(database);
  }

  @Override
  public void close() {
    running.close();
  }
}
