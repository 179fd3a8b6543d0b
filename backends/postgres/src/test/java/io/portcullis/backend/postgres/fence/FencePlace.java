package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.line.Access;
import io.portcullis.backend.postgres.line.JdbcUrl;
import io.portcullis.backend.postgres.line.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.Mark;
import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One new fence in a table of its own on a real Postgres. */
record FencePlace(PostgresServer server, String role, TableName table, String scope) {
  static final Duration LONG = Duration.ofMinutes(2);

  /** Never over within a test. */
  static final Duration PATIENT = Duration.ofSeconds(50);

  static final Duration HASTY = Duration.ofMillis(300);

  private static final AtomicInteger TABLES = new AtomicInteger();

  static FencePlace on(PostgresServer server) {
    String unique = ProcessHandle.current().pid() + "_" + TABLES.incrementAndGet();
    return new FencePlace(
        server, "postgres", TableName.parse("public.fence_" + unique), "orders:" + unique);
  }

  FencePlace as(String other) {
    return new FencePlace(server, other, table, scope);
  }

  FencePlace in(String schema) {
    return new FencePlace(server, role, TableName.parse(schema + "." + table.table()), scope);
  }

  /** Without a schema. */
  FencePlace bare() {
    return new FencePlace(server, role, TableName.parse(table.table()), scope);
  }

  PostgresFencePlan plan(Duration wait) {
    return plan(server.url(), wait);
  }

  PostgresFencePlan plan(String url, Duration wait) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return new PostgresFencePlan(
        new Access(parsed, role, null), FenceMatch.of(parsed), table, scope, wait);
  }

  EpochFence open() {
    return open(HASTY);
  }

  EpochFence open(Duration wait) {
    return plan(wait).open("node");
  }

  /** Made, and at nothing yet. */
  FencePlace made() {
    try (EpochFence fence = open()) {
      now(fence.read());
    }
    return this;
  }

  FenceTable names() {
    return new FenceTable(table.schema() == null ? "public" : table.schema(), table.table());
  }

  void install(long epoch, String holder) {
    try (EpochFence fence = open()) {
      now(fence.install(epoch, holder));
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(server.url(), role, null);
  }

  /** A transaction of the application's at this level of isolation, not begun yet. */
  AppSession app(int isolation) throws SQLException {
    return AppSession.at(this, isolation);
  }

  static Mark now(CompletionStage<Mark> stage) {
    try {
      return stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new AssertionError("the fence gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The sentence with which a question fails. */
  static String trouble(CompletionStage<Mark> stage) {
    try {
      Mark mark = stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
      throw new AssertionError("answered " + mark);
    } catch (ExecutionException e) {
      return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
    } catch (TimeoutException e) {
      throw new AssertionError("the fence gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
