package io.portcullis.servers;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PostgresServerTest {
  @Test
  void serverUsesTheGivenSettings() throws Exception {
    try (PostgresServer server = PostgresServer.start("deadlock_timeout = 123ms")) {
      assumeTrue(server.isControllable());

      try (Connection connection = server.connect()) {
        assertThat(connection.isValid(1)).isTrue();
      }
      assertThat(server.query("SHOW deadlock_timeout")).isEqualTo("123ms");
      assertThat(server.query("SHOW fsync")).isEqualTo("on");
      assertThat(server.query("SELECT NULL")).isEmpty();
    }
  }

  @Test
  void killedServerKeepsExactlyTheCommittedData() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Connection open = server.connect()) {
      assumeTrue(server.isControllable());
      int port = server.port();
      server.execute("CREATE TABLE kept AS SELECT 1 AS n");
      open.setAutoCommit(false);
      open.createStatement().execute("INSERT INTO kept VALUES (2)");

      server.kill();
      assertThatThrownBy(server::connect).isInstanceOf(IllegalStateException.class);
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(server.query("SELECT string_agg(n::text, ',') FROM kept")).isEqualTo("1");
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void stoppedServerShutsDownCleanlyAndRestarts() throws Exception {
    try (PostgresServer server = PostgresServer.startLocal();
        Connection open = server.connect()) {
      Path data = Path.of(server.query("SHOW data_directory"));
      server.execute("CREATE TABLE kept AS SELECT 1 AS n");

      server.stop();
      assertThat(data.resolve("postmaster.pid")).doesNotExist();
      server.restart();

      assertThat(open.isValid(1)).isFalse();
      assertThat(server.query("SELECT n FROM kept")).isEqualTo("1");
    }
  }

  @Test
  void pausedServerKeepsConnectionsWithoutResponding() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Connection open = server.connect()) {
      assumeTrue(server.isControllable());

      server.pause();
      CompletableFuture<String> old = answer(open, "SELECT 1");
      CompletableFuture<String> late = answer(server, "SELECT 2");
      assertThatThrownBy(() -> old.get(500, MILLISECONDS)).isInstanceOf(TimeoutException.class);
      assertThat(late).isNotDone();
      server.resume();

      assertThat(old.get(120, SECONDS)).isEqualTo("1");
      assertThat(late.get(120, SECONDS)).isEqualTo("2");
    }
  }

  @Test
  void pausedBackendIsSilentWhileOthersRespond() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Connection open = server.connect()) {
      assumeTrue(server.isControllable());
      int backend = Integer.parseInt(answer(open, "SELECT pg_backend_pid()").get(120, SECONDS));

      server.pauseBackend(backend);
      CompletableFuture<String> held = answer(open, "SELECT 1");
      assertThatThrownBy(() -> held.get(500, MILLISECONDS)).isInstanceOf(TimeoutException.class);
      assertThat(answer(server, "SELECT 2").get(120, SECONDS)).isEqualTo("2");
      server.resumeBackend(backend);

      assertThat(held.get(120, SECONDS)).isEqualTo("1");
    }
  }

  @Test
  void replicaFollowsItsPrimaryAndWritesOncePromoted() throws Exception {
    try (PostgresServer primary =
        PostgresServer.startLocal(
            "synchronous_commit = remote_apply", "synchronous_standby_names = '*'")) {
      primary.execute("SET synchronous_commit = local; CREATE TABLE kept AS SELECT 1 AS n");
      try (PostgresServer replica = primary.startReplica("deadlock_timeout = 123ms")) {
        assertThat(replica.query("SHOW deadlock_timeout")).isEqualTo("123ms");
        assertThat(timeline(primary)).isEqualTo(1);

        execute(primary, "INSERT INTO kept VALUES (2)");
        assertThat(replica.query("SELECT count(*) FROM kept")).isEqualTo("2");
        assertThatThrownBy(() -> replica.execute("INSERT INTO kept VALUES (3)"))
            .hasRootCauseMessage("ERROR: cannot execute INSERT in a read-only transaction");
        primary.kill();
        replica.promote();

        execute(replica, "INSERT INTO kept VALUES (4)");
        assertThat(timeline(replica)).isEqualTo(2);
        replica.restart();
        assertThat(replica.query("SELECT count(*) FROM kept")).isEqualTo("3");
      }
    }
  }

  @Test
  void closedServerLeavesNoProcessAndNoFolder() throws Exception {
    PostgresServer server = PostgresServer.startLocal();
    Path data = Path.of(server.query("SHOW data_directory"));
    List<ProcessHandle> processes = processesIn(data);
    assertThat(processes).hasSizeGreaterThan(3);

    server.pause();
    server.close();

    assertThat(processes).allMatch(ProcessState::isGone);
    assertThat(data.getParent()).doesNotExist();
  }

  /** A commit that waits for a missing replica would wait for ever. */
  private static void execute(PostgresServer server, String sql) throws Exception {
    CompletableFuture.runAsync(() -> server.execute(sql)).get(120, SECONDS);
  }

  private static CompletableFuture<String> answer(PostgresServer server, String sql) {
    return CompletableFuture.supplyAsync(() -> server.query(sql));
  }

  private static CompletableFuture<String> answer(Connection connection, String sql) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return PostgresAddress.firstValue(connection, sql);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** The name of a log file begins with it. */
  private static int timeline(PostgresServer server) {
    return Integer.parseInt(
        server.query("SELECT pg_walfile_name(pg_current_wal_lsn())").substring(0, 8), 16);
  }

  private static List<ProcessHandle> processesIn(Path data) throws IOException {
    long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
    ProcessHandle root = ProcessHandle.of(postmaster).orElseThrow();
    return Stream.concat(Stream.of(root), root.descendants()).toList();
  }
}
