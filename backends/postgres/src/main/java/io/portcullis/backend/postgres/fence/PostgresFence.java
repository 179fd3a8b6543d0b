package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages.EpochRepair;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.backend.OneTimeWarnings;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.threads.DaemonThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fence in one database. One thread owns the connection and executes one operation at a time.
 * An operation that fails on an existing connection is retried on a new one, since reading and
 * raising are idempotent. While a server does not respond, at most one read is queued, and a raise
 * is dropped if a raise to a higher epoch is queued.
 */
final class PostgresFence implements EpochFence {
  private static final int MAX_TRIES = 3;

  /** Maximum time the thread waits for a request before it ends. */
  private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(1);

  private final PostgresFencePlan plan;
  private final FenceConnector connector;
  private final SqlErrorMessages messages;
  private final ThreadPoolExecutor worker;
  private final AtomicReference<@Nullable Task> queuedRead = new AtomicReference<>();
  private volatile @Nullable FenceSession session;
  private volatile @Nullable FenceFunctions functions;
  private volatile boolean inRecovery;

  private interface SessionOperation {
    FenceState with(FenceSession session) throws SQLException, UnusableServerException;
  }

  PostgresFence(PostgresFencePlan plan, String node) {
    this.plan = plan;
    this.connector = new FenceConnector(plan, node, new JdbcConnector(plan.access()));
    this.messages =
        new SqlErrorMessages(
            plan.access(),
            Map.of(
                "28P01", "refuses the password; check the fence's user and password-file",
                "28000", "refuses the login of this role; check the fence's user and pg_hba.conf",
                "3D000", "has no such database; check the fence's url",
                "25006", "is read-only: it is not a primary",
                "53300", "has no free connection; a fence needs up to two",
                "57P01", "has terminated the session",
                "57P03", "is starting up or shutting down"));
    this.worker =
        DaemonThreads.pool(
            () -> "portcullis-fence-" + plan.scope(),
            1,
            1,
            MAX_IDLE_TIME,
            new LinkedBlockingQueue<>(),
            new ThreadPoolExecutor.AbortPolicy());
  }

  @Override
  public String describe() {
    return plan.describe();
  }

  @Override
  public CompletionStage<FenceState> read() {
    Task task = new Task(0, FenceSession::read);
    Task queued = queuedRead.compareAndExchange(null, task);
    return queued == null ? submit(task) : queued.result();
  }

  @Override
  public CompletionStage<FenceState> install(long epoch, String holder) {
    return submit(new Task(epoch, current -> current.install(epoch, holder)));
  }

  @Override
  public @Nullable FenceFunctions functions() {
    return functions;
  }

  @Override
  public String repair() {
    return EpochRepair.statement(plan.table().quoted(), plan.scope());
  }

  @Override
  public boolean isInRecovery() {
    return inRecovery;
  }

  private CompletionStage<FenceState> submit(Task task) {
    try {
      worker.execute(task);
    } catch (RejectedExecutionException e) {
      task.drop();
    }
    return task.result();
  }

  private final class Task implements Runnable {
    private final long epoch;
    private final SessionOperation work;
    private final CompletableFuture<FenceState> result = new CompletableFuture<>();

    /**
     * Creates a task.
     *
     * @param epoch the epoch to which it raises the fence, 0 for a read
     */
    Task(long epoch, SessionOperation work) {
      this.epoch = epoch;
      this.work = work;
    }

    CompletionStage<FenceState> result() {
      return result;
    }

    @Override
    public void run() {
      queuedRead.compareAndSet(this, null);
      if (isOvertaken()) {
        result.completeExceptionally(
            new IllegalStateException("epoch " + epoch + " was superseded by a higher one"));
      } else {
        execute(work, result);
      }
    }

    private boolean isOvertaken() {
      return epoch > 0 && worker.getQueue().stream().anyMatch(each -> ((Task) each).epoch > epoch);
    }

    void drop() {
      queuedRead.compareAndSet(this, null);
      result.completeExceptionally(closed());
    }
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the fence is closed on this node");
  }

  private void execute(SessionOperation work, CompletableFuture<FenceState> result) {
    try {
      FenceState state = attempt(work);
      inRecovery = false;
      result.complete(state);
    } catch (SQLException e) {
      result.completeExceptionally(new IllegalStateException(messages.of(e), e));
    } catch (UnusableServerException e) {
      inRecovery = e instanceof UnusableServerException.InRecoveryException;
      result.completeExceptionally(
          new IllegalStateException(messages.at(String.valueOf(e.getMessage())), e));
    } catch (RuntimeException | LinkageError | AssertionError e) {
      result.completeExceptionally(e);
    }
  }

  private FenceState attempt(SessionOperation work) throws SQLException, UnusableServerException {
    for (int tries = 1; ; tries++) {
      boolean reused = session != null;
      try {
        return work.with(session());
      } catch (SQLException e) {
        closeSession();
        boolean gone = String.valueOf(e.getSQLState()).matches("08...|57P01");
        if (!gone || !reused || tries == MAX_TRIES || worker.isShutdown()) {
          throw e;
        }
      } catch (UnusableServerException | RuntimeException | LinkageError | AssertionError e) {
        closeSession();
        throw e;
      }
    }
  }

  private FenceSession session() throws SQLException, UnusableServerException {
    FenceSession present = session;
    if (present == null) {
      if (worker.isShutdown()) {
        throw closed();
      }
      present = connector.open();
      session = present;
      functions = present.functions();
      if (worker.isShutdown()) {
        closeSession(); // close() ran while the session was being opened.
        throw closed();
      }
    }
    return present;
  }

  private void closeSession() {
    FenceSession present = session;
    session = null;
    if (present != null) {
      present.close();
    }
  }

  /** Aborts the connection of a running operation; does not wait for it. */
  @Override
  public void close() {
    List<Runnable> queued = worker.shutdownNow();
    closeSession();
    queued.forEach(each -> ((Task) each).drop());
  }

  /** Opens connections to a fence's database and validates the fence. */
  static final class FenceConnector {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    private static final String PRIVILEGE_QUERY =
        "SELECT current_user, r.rolsuper"
            + " OR pg_catalog.pg_has_role(current_user, 'pg_signal_backend', 'USAGE'),"
            + " pg_catalog.has_schema_privilege('public', pg_catalog.to_regnamespace(?), 'CREATE')"
            + " FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user";

    private final PostgresFencePlan plan;
    private final String node;
    private final JdbcConnector connector;
    private final FenceSchema schema;
    private final OneTimeWarnings warnings = new OneTimeWarnings(LOG);

    FenceConnector(PostgresFencePlan plan, String node, JdbcConnector connector) {
      this.plan = plan;
      this.node = node;
      this.connector = connector;
      this.schema = new FenceSchema(plan.table());
    }

    FenceSession open() throws SQLException, UnusableServerException {
      Connection connection =
          connector.open(
              "portcullis fence " + plan.scope() + " " + node,
              FenceSession.RESPONSE_TIMEOUT,
              FenceSession.RESPONSE_TIMEOUT);
      try {
        FenceTable table = schema.prepare(connection);
        warn(connection, table);
        return new FenceSession(
            plan, connection, table, new BlockerTermination.Factory(plan, node, connector));
      } catch (SQLException | UnusableServerException | RuntimeException e) {
        JdbcConnector.closeQuietly(connection);
        throw e;
      }
    }

    private void warn(Connection connection, FenceTable table) throws SQLException {
      if (!warnings.isFirst("privileges")) {
        return;
      }
      for (String sentence : warnings(connection, table)) {
        LOG.warn("portcullis node={} fence {}: {}", node, plan.scope(), sentence);
      }
    }

    /** Returns warnings about missing privileges for a takeover and about excessive ones. */
    static List<String> warnings(Connection connection, FenceTable table) throws SQLException {
      List<String> sentences = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(PRIVILEGE_QUERY)) {
        statement.setString(1, TableName.quoted(table.schema()));
        try (ResultSet found = statement.executeQuery()) {
          found.next();
          String role = found.getString(1);
          if (!found.getBoolean(2)) {
            sentences.add(
                "role "
                    + role
                    + " may terminate sessions of its own role only; if the application uses"
                    + " another role, a takeover fails while an old transaction stays open. Run:"
                    + " GRANT pg_signal_backend TO "
                    + FenceSchema.quoted(role));
          }
          if (found.getBoolean(3)) {
            sentences.add(
                "every role may create objects in schema "
                    + table.schema()
                    + ", which contains the fence. Use a dedicated schema (table in the fence), or"
                    + " run: REVOKE CREATE ON SCHEMA "
                    + FenceSchema.quoted(table.schema())
                    + " FROM PUBLIC");
          }
        }
      }
      return sentences;
    }
  }
}
