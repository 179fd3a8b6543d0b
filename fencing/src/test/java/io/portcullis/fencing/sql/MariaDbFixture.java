package io.portcullis.fencing.sql;

import static org.awaitility.Awaitility.await;

import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server from the MariaDB that is installed on this machine, in a folder of its own. */
final class MariaDbFixture implements AutoCloseable {
  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"), Path.of("/usr/libexec"));
  private static final int MAX_START_SECONDS = 120;

  private final Path folder;
  private final int port = LoopbackPort.free();
  private final Process process;

  private MariaDbFixture(Path server, Path installer, Path folder) throws IOException {
    this.folder = folder;
    String user = System.getProperty("user.name");
    run(
        List.of(
            installer.toString(),
            "--no-defaults",
            "--datadir=" + folder.resolve("data"),
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--user=" + user));
    process =
        new ProcessBuilder(
                server.toString(),
                "--no-defaults",
                "--datadir=" + folder.resolve("data"),
                "--socket=" + folder.resolve("socket"),
                "--pid-file=" + folder.resolve("pid"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--innodb-flush-log-at-trx-commit=0",
                "--user=" + user)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
  }

  /** Null if no MariaDB is installed. */
  static @Nullable MariaDbFixture startIfInstalled() throws IOException {
    Path server = find("mariadbd");
    Path installer = find("mariadb-install-db");
    if (server == null || installer == null) {
      return null;
    }
    MariaDbFixture fixture =
        new MariaDbFixture(server, installer, Files.createTempDirectory("mariadb"));
    await()
        .atMost(Duration.ofSeconds(MAX_START_SECONDS))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(
            () -> {
              try (Connection connection = fixture.connect("")) {
                return connection.isValid(5);
              }
            });
    return fixture;
  }

  private static @Nullable Path find(String program) {
    return FOLDERS.stream()
        .map(folder -> folder.resolve(program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private void run(List<String> command) throws IOException {
    Process running =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("install-log").toFile())
            .start();
    try {
      if (!running.waitFor(MAX_START_SECONDS, TimeUnit.SECONDS) || running.exitValue() != 0) {
        running.destroyForcibly();
        throw new IOException(Files.readString(folder.resolve("install-log")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  Path dataFolder() {
    return folder.resolve("data");
  }

  Connection connect(String database) throws SQLException {
    return connect(database, "");
  }

  /** Connects with this value of the session's variable {@code sql_mode}. */
  Connection connect(String database, String mode) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:%d/%s?allowMultiQueries=true&sessionVariables=sql_mode='%s'"
            .formatted(port, database, mode),
        "root",
        "");
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
