package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages;
import io.portcullis.backend.postgres.jdbc.SqlErrorMessages.EpochRepair;
import io.portcullis.backend.postgres.jdbc.TableName;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
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
 * The fence in one database. One thread owns the connection, and does one thing after the other.
 * What fails on a connection that was made earlier is tried once more on a new one: both reading
 * and raising may be done twice. However long a server does not answer, at most one read stands in
 * line, and nobody waits for a raise to an epoch that was given up for a later one.
 */
final class PostgresFence implements EpochFence {
  private static final int MAX_TRIES = 3;

  /** How long the thread waits for the next request before it ends. */
  private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(1);

  private final PostgresFencePlan plan;
  private final FenceConnector connector;
  private final SqlErrorMessages messages;
  private final ThreadPoolExecutor worker;
  private final AtomicReference<@Nullable Task> queuedRead = new AtomicReference<>();
  private volatile @Nullable FenceSession session;
  private volatile @Nullable FenceFunctions functions;
  private volatile boolean inRecovery;

  /** What is done with a session. */
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
                "28000", "does not let this role in; check the fence's user and pg_hba.conf",
                "3D000", "has no such database; check the fence's url",
                "25006", "takes no writes: it is no primary",
                "53300", "has no connection to spare; a fence needs up to two",
                "57P01", "has ended the session",
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
    Task mine = new Task(0, FenceSession::read);
    Task waiting = queuedRead.compareAndExchange(null, mine);
    return waiting == null ? submit(mine) : waiting.answer();
  }

  @Override
  public CompletionStage<FenceState> install(long epoch, String holder) {
    return submit(new Task(epoch, present -> present.install(epoch, holder)));
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
    return task.answer();
  }

  /** A question in line. */
  private final class Task implements Runnable {
    private final long epoch;
    private final SessionOperation work;
    private final CompletableFuture<FenceState> answer = new CompletableFuture<>();

    /**
     * Stands in line.
     *
     * @param epoch what it raises the fence to, 0 if it does not
     */
    Task(long epoch, SessionOperation work) {
      this.epoch = epoch;
      this.work = work;
    }

    CompletionStage<FenceState> answer() {
      return answer;
    }

    @Override
    public void run() {
      queuedRead.compareAndSet(this, null);
      if (isOvertaken()) {
        answer.completeExceptionally(
            new IllegalStateException("epoch " + epoch + " was given up for a later one"));
      } else {
        execute(work, answer);
      }
    }

    private boolean isOvertaken() {
      return epoch > 0 && worker.getQueue().stream().anyMatch(each -> ((Task) each).epoch > epoch);
    }

    void drop() {
      queuedRead.compareAndSet(this, null);
      answer.completeExceptionally(closed());
    }
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the fence is closed on this side");
  }

  private void execute(SessionOperation work, CompletableFuture<FenceState> answer) {
    try {
      FenceState mark = attempt(work);
      inRecovery = false;
      answer.complete(mark);
    } catch (SQLException e) {
      answer.completeExceptionally(new IllegalStateException(messages.of(e), e));
    } catch (UnusableServerException e) {
      inRecovery = e instanceof UnusableServerException.InRecoveryException;
      answer.completeExceptionally(
          new IllegalStateException(messages.at(String.valueOf(e.getMessage())), e));
    } catch (RuntimeException | LinkageError | AssertionError e) {
      answer.completeExceptionally(e);
    }
  }

  private FenceState attempt(SessionOperation work) throws SQLException, UnusableServerException {
    for (int tries = 1; ; tries++) {
      boolean kept = session != null;
      try {
        return work.with(session());
      } catch (SQLException e) {
        closeSession();
        boolean gone = String.valueOf(e.getSQLState()).matches("08...|57P01");
        if (!gone || !kept || tries == MAX_TRIES || worker.isShutdown()) {
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
        closeSession(); // Closed while it was being made: nobody else would.
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

  /** Does not wait for what is under way: its connection is cut. */
  @Override
  public void close() {
    List<Runnable> inLine = worker.shutdownNow();
    closeSession();
    inLine.forEach(each -> ((Task) each).drop());
  }

  /** Opens connections to a fence's database, and makes sure that the fence is there and sound. */
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
    private boolean warned;

    FenceConnector(PostgresFencePlan plan, String node, JdbcConnector exchange) {
      this.plan = plan;
      this.node = node;
      this.connector = exchange;
      this.schema = new FenceSchema(plan.table());
    }

    FenceSession open() throws SQLException, UnusableServerException {
      Connection connection =
          connector.open(
              "portcullis fence " + plan.scope() + " " + node,
              FenceSession.ANSWER_TIMEOUT,
              FenceSession.ANSWER_TIMEOUT);
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
      if (warned) {
        return;
      }
      warned = true;
      for (String sentence : warnings(connection, table)) {
        LOG.warn("portcullis node={} fence {}: {}", node, plan.scope(), sentence);
      }
    }

    /** Sentences about rights that a takeover needs, and about rights that are too wide. */
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
                    + " may end sessions of its own role only; if the application uses another, a"
                    + " takeover fails while an old transaction of its stays open. Run: GRANT"
                    + " pg_signal_backend TO "
                    + FenceSchema.quoted(role));
          }
          if (found.getBoolean(3)) {
            sentences.add(
                "every role may create objects in schema "
                    + table.schema()
                    + ", beside the fence. Use a schema of its own (table in the fence), or run:"
                    + " REVOKE CREATE ON SCHEMA "
                    + FenceSchema.quoted(table.schema())
                    + " FROM PUBLIC");
          }
        }
      }
      return sentences;
    }
  }
}
