package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.servers.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

/** Replication sessions, as consumers of a change stream open them. */
@Tag("slow")
class FencedReplicationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static @Nullable FencedPostgresServer server;

  @BeforeAll
  static void start() throws SQLException {
    FencedPostgresFixture.reset(); // Weaves the driver of this JVM.
    server = FencedPostgresServer.on(PostgresServer.startLocal("wal_level = logical"));
    server().execute("CREATE PUBLICATION changes FOR TABLE t");
  }

  @AfterAll
  static void stop() {
    server().close();
  }

  private static FencedPostgresServer server() {
    if (server == null) {
      throw new AssertionError("no server");
    }
    return server;
  }

  @BeforeEach
  void reset() throws SQLException {
    server().reset();
  }

  private static Connection connect(String replication) throws SQLException {
    // The driver requests replication only if it assumes that the server supports it.
    return server()
        .connect(
            "replication",
            replication,
            "assumeMinServerVersion",
            "12",
            "preferQueryMode",
            "simple");
  }

  private static String insert(String value) {
    return "INSERT INTO t (s) VALUES ('" + value + "')";
  }

  private static String count() throws SQLException {
    return server().query("SELECT count(*) FROM t");
  }

  @Test
  void sqlInReplicationSessionIsFenced() throws SQLException {
    try (Connection connection = connect("database")) {
      FencedPostgresServer.execute(connection, insert("leader"));
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("1");
      server().takeOver();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, insert("stale")))
          .isInstanceOf(StaleEpochException.class);
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("1");
    }
    assertThat(count()).isEqualTo("1");
  }

  /** Servers treat these values as "off", so the session is an ordinary one. */
  @ParameterizedTest
  @ValueSource(strings = {"f", "fal", "n", "of", "OFF", "0"})
  void sessionThatDeclinesReplicationIsFenced(String value) throws SQLException {
    server().takeOver();
    try (Connection connection = connect(value)) {
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, insert("stale")))
          .isInstanceOf(StaleEpochException.class);
    }
    assertThat(count()).isEqualTo("0");
  }

  /** The server itself refuses SQL there. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "on", "yes", "1"})
  void physicalReplicationSessionAcceptsOnlyCommands(String value) throws SQLException {
    server().takeOver();
    try (Connection connection = connect(value)) {
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, insert("stale")))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("physical replication");
      assertThat(FencedPostgresServer.query(connection, "IDENTIFY_SYSTEM")).isNotEmpty();
    }
    assertThat(count()).isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IDENTIFY_SYSTEM; INSERT INTO t (s) VALUES ('stale')",
        "identify_system; INSERT INTO t (s) VALUES ('stale')",
        "/* IDENTIFY_SYSTEM */ INSERT INTO t (s) VALUES ('stale')",
        "SHOW wal_level; INSERT INTO t (s) VALUES ('stale')",
        "IDENTIFY_SYSTEM INSERT INTO t (s) VALUES ('stale')",
        "-- IDENTIFY_SYSTEM\nINSERT INTO t (s) VALUES ('stale')",
      })
  void nothingIsWrittenAfterAReplicationCommand(String text) throws SQLException {
    server().takeOver();
    try (Connection connection = connect("database");
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      assertThatThrownBy(() -> statement.execute(text)).isInstanceOf(Exception.class);
    }
    assertThat(count()).isEqualTo("0");
  }

  @Test
  void streamOfChangesReachesConsumerOnLeader() throws Exception {
    assertThat(streamedBy(connect("database"), "led")).contains("led-1", "led-2");
  }

  @Test
  void streamOfChangesReachesConsumerOnStandby() throws Exception {
    server().takeOver();

    assertThat(streamedBy(connect("database"), "stood")).contains("stood-1", "stood-2");
  }

  /** Reads changes while another session writes, with a slot of its own. */
  private static String streamedBy(Connection connection, String value) throws Exception {
    StringBuilder seen = new StringBuilder();
    try (connection) {
      PGConnection replicating = connection.unwrap(PGConnection.class);
      replicating
          .getReplicationAPI()
          .createReplicationSlot()
          .logical()
          .withSlotName("slot_" + value)
          .withOutputPlugin("pgoutput")
          .withTemporaryOption()
          .make();
      try (PGReplicationStream stream =
          replicating
              .getReplicationAPI()
              .replicationStream()
              .logical()
              .withSlotName("slot_" + value)
              .withSlotOption("proto_version", "1")
              .withSlotOption("publication_names", "changes")
              .withStatusInterval(100, TimeUnit.MILLISECONDS)
              .start()) {
        for (String each : new String[] {value + "-1", value + "-2"}) {
          server().execute(insert(each));
          Awaitility.await(each).atMost(PATIENCE).until(() -> hasRead(stream, seen, each));
        }
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("IDENTIFY_SYSTEM")) {
        assertThat(rows.next()).isTrue(); // The session continues after the stream.
      }
    }
    return seen.toString();
  }

  private static boolean hasRead(PGReplicationStream stream, StringBuilder seen, String wanted)
      throws SQLException {
    ByteBuffer message = stream.readPending();
    while (message != null) {
      seen.append(
          new String(
              message.array(), message.arrayOffset(), message.remaining(), StandardCharsets.UTF_8));
      stream.setFlushedLSN(stream.getLastReceiveLSN());
      stream.setAppliedLSN(stream.getLastReceiveLSN());
      message = stream.readPending();
    }
    return seen.indexOf(wanted) >= 0;
  }
}
