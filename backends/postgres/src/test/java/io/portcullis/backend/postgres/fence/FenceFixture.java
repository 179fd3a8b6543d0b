package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcUrl;
import io.portcullis.backend.postgres.jdbc.PostgresAccess;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
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
record FenceFixture(PostgresServer server, String role, TableName table, String scope) {
  static final Duration LONG = Duration.ofMinutes(2);

  /** Longer than any test. */
  static final Duration PATIENT = Duration.ofSeconds(50);

  static final Duration HASTY = Duration.ofMillis(300);

  private static final AtomicInteger TABLES = new AtomicInteger();

  static FenceFixture on(PostgresServer server) {
    String unique = ProcessHandle.current().pid() + "_" + TABLES.incrementAndGet();
    return new FenceFixture(
        server, "postgres", TableName.parse("public.fence_" + unique), "orders:" + unique);
  }

  FenceFixture as(String other) {
    return new FenceFixture(server, other, table, scope);
  }

  FenceFixture in(String schema) {
    return new FenceFixture(server, role, TableName.parse(schema + "." + table.table()), scope);
  }

  /** Without a schema. */
  FenceFixture bare() {
    return new FenceFixture(server, role, TableName.parse(table.table()), scope);
  }

  PostgresFencePlan plan(Duration wait) {
    return plan(server.url(), wait);
  }

  PostgresFencePlan plan(String url, Duration wait) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return new PostgresFencePlan(
        new PostgresAccess(parsed, role, null),
        FencedDatabaseMatcher.of(parsed),
        table,
        scope,
        wait);
  }

  EpochFence open() {
    return open(HASTY);
  }

  EpochFence open(Duration wait) {
    return plan(wait).open("node");
  }

  /** Created, with no epoch installed. */
  FenceFixture made() {
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

  /** A transaction of the application at this isolation level, not begun yet. */
  AppSession app(int isolation) throws SQLException {
    return AppSession.at(this, isolation);
  }

  static FenceState now(CompletionStage<FenceState> stage) {
    try {
      return stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new AssertionError("the fence did not respond", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The message with which a query fails. */
  static String failureMessage(CompletionStage<FenceState> stage) {
    try {
      FenceState mark = stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
      throw new AssertionError("answered " + mark);
    } catch (ExecutionException e) {
      return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
    } catch (TimeoutException e) {
      throw new AssertionError("the fence did not respond", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
