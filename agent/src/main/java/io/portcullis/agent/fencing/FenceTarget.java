package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
import io.portcullis.agent.node.FenceView.FenceCoverage;
import io.portcullis.agent.node.FenceView.FenceTraffic;
import io.portcullis.agent.node.FenceView.InstalledEpoch;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.fencing.FencedDatabase;
import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.FencedDatabase.FenceNotReadyException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of one fenced database, as last read by this node. */
final class FenceTarget implements FencedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String NOT_REACHED = "not reached yet";
  private static final String IN_RECOVERY =
      "is in recovery: nothing can be written there, and functions are run read-only";

  /** Added to the fence's own timeout: how long a write waits for the epoch check functions. */
  private static final Duration MAX_EXTRA_WAIT = Duration.ofSeconds(5);

  private final NodeFence fence;
  private final String where;
  private final Kind kind;
  private final LongAdder refusals = new LongAdder();

  /**
   * Completed when this database takes part in the election. If this node holds an epoch then, the
   * attempt to install that epoch here has ended before.
   */
  private final CompletableFuture<FenceBinding> binding = new CompletableFuture<>();

  private volatile @Nullable CheckFunctions functions;
  private volatile FenceState state = FenceState.NONE;
  private volatile @Nullable String problem = NOT_REACHED;
  private volatile @Nullable CompletionStage<FenceState> lastRead;
  private volatile @Nullable Long usedAtNanos;

  /** The fence itself, and the store that keeps it up to date. */
  private record FenceBinding(EpochFence fence, FencedStore store) {
    CompletionStage<Void> lastInstall() {
      return store.lastInstall(fence);
    }
  }

  /** Relation of a database to its fence. */
  enum Kind {
    /** The database that the fence's url names. */
    HOME,
    /** Another database that the fence's match covers. */
    JOINED,
    /** Represents all databases beyond {@link NodeFence#MAX_DATABASES}. */
    OVER_LIMIT
  }

  FenceTarget(NodeFence fence, String where, Kind kind) {
    this.fence = fence;
    this.where = where;
    this.kind = kind;
    if (kind == Kind.OVER_LIMIT) {
      problem = "the fence covers more databases than it keeps up to date; narrow its match";
    }
  }

  void used(long nowNanos) {
    usedAtNanos = nowNanos;
  }

  /** Whether there has ever been a connection. */
  boolean isUsed() {
    return usedAtNanos != null;
  }

  /** Time since the last connection; 0 if there has never been one. */
  long unusedNanos(long nowNanos) {
    Long used = usedAtNanos;
    return used == null ? 0 : nowNanos - used;
  }

  /** Stops the thread and closes the agent's own connection for this database. */
  void close() {
    LOG.info("portcullis fence={} closes {}: it has no connections", fence.id(), where);
    CompletionStage<FenceBinding> once = binding;
    once.thenAccept(bound -> bound.store().remove(bound.fence()));
  }

  void begin(EpochFence opened, FencedStore store, CompletionStage<?> installed) {
    installed.whenComplete((done, failure) -> binding.complete(new FenceBinding(opened, store)));
    readState();
  }

  @Override
  public CheckFunctions checkFunctions() throws FenceNotReadyException {
    if (kind == Kind.OVER_LIMIT) {
      throw notReady(String.valueOf(problem));
    }
    CheckFunctions known = functions;
    return known == null || isBeingRaised() ? awaitFunctions() : known;
  }

  /**
   * Whether a new epoch is being installed here. The home has it before the gate opens; the other
   * databases may receive it later.
   */
  private boolean isBeingRaised() {
    FenceBinding bound = binding.getNow(null);
    return bound != null && !bound.lastInstall().toCompletableFuture().isDone();
  }

  @Override
  public boolean isInRecovery() {
    FenceBinding bound = binding.getNow(null);
    return bound != null && bound.fence().isInRecovery();
  }

  private CheckFunctions awaitFunctions() throws FenceNotReadyException {
    long timeoutMillis = fence.plan().writerTimeout().plus(MAX_EXTRA_WAIT).toMillis();
    try {
      binding
          .thenCompose(bound -> bound.lastInstall().handle((done, failure) -> bound))
          .thenCompose(bound -> readState())
          .get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notReady("the thread was interrupted");
    } catch (TimeoutException e) {
      throw notReady("no response within " + timeoutMillis + " ms");
    } catch (ExecutionException e) {
      throw notReady(String.valueOf(problem));
    }
    CheckFunctions known = functions;
    if (known == null) {
      throw notReady(String.valueOf(problem));
    }
    return known;
  }

  private FenceNotReadyException notReady(String why) {
    return new FenceNotReadyException(
        "Fence '%s' is not ready at %s: %s. Writes to that database are refused until it is."
            .formatted(fence.id(), where, why));
  }

  /**
   * Starts a read of the fence's state. If the previous read is still running, reports the database
   * as unresponsive instead and returns that read. Must be called periodically.
   */
  CompletionStage<FenceState> refresh() {
    CompletionStage<FenceState> before = lastRead;
    if (before != null && !before.toCompletableFuture().isDone()) {
      if (problem == null || NOT_REACHED.equals(problem)) { // Keep a more specific problem.
        report("the last read has had no response yet");
      }
      return before;
    }
    CompletionStage<FenceState> now = readState();
    lastRead = now;
    return now;
  }

  /** Reads the fence's epoch and holder. The stage fails if the database can't be reached. */
  CompletionStage<FenceState> readState() {
    FenceBinding bound = binding.getNow(null);
    if (bound == null) {
      return CompletableFuture.failedFuture(new IllegalStateException(NOT_REACHED));
    }
    return bound
        .fence()
        .read()
        .whenComplete(
            (seen, failure) -> {
              if (failure == null) {
                state = seen;
                setFunctions(bound.fence().functions());
                report(refusalReason(seen), "refuses writes");
              } else {
                report(reason(failure));
              }
            });
  }

  private String reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return kind == Kind.JOINED && isInRecovery() ? IN_RECOVERY : String.valueOf(cause.getMessage());
  }

  /**
   * Explains why this database refuses this node's writes; null if it does not. A home at a higher
   * epoch ends the tenure. Any other database only refuses writes, so the operator must see it.
   */
  private @Nullable String refusalReason(FenceState seen) {
    long open = fence.gate().openEpoch();
    boolean isAnothers =
        seen.epoch() > open || (seen.epoch() == open && !seen.holder().equals(fence.identity()));
    return kind == Kind.JOINED && open > 0 && isAnothers
        ? "it is at epoch %d of %s, not at epoch %d under which this node leads, and so refuses"
                .formatted(seen.epoch(), seen.holder(), open)
            + " this node's writes; this node keeps leading, since the fence's url does not name"
            + " this database"
        : null;
  }

  private void setFunctions(@Nullable FenceFunctions found) {
    if (found != null && functions == null) {
      functions =
          new CheckFunctions(found.check(), found.hold(), found.release(), fence.plan().scope());
    }
  }

  private void report(@Nullable String now) {
    report(now, "does not respond");
  }

  private void report(@Nullable String now, String symptom) {
    String before = problem;
    problem = now;
    if (now != null && now.equals(IN_RECOVERY)) {
      if (!now.equals(before)) {
        LOG.info("portcullis fence={} at {}: {}", fence.id(), where, now);
      }
    } else if (now != null && !now.equals(before)) {
      LOG.warn("portcullis fence={} {} at {} why=\"{}\"", fence.id(), symptom, where, now);
    } else if (now == null && before != null) {
      LOG.info(
          "portcullis fence={} at {} has epoch={} holder={}",
          fence.id(),
          where,
          state.epoch(),
          state.holder());
    }
  }

  @Override
  public String holder() {
    return String.valueOf(fence.identity());
  }

  @Override
  public long pinnedEpoch() {
    return fence.gate().pinnedEpoch();
  }

  @Override
  public boolean fencesUngated() {
    return fence.fencesUngated();
  }

  @Override
  public long openEpoch() {
    return fence.gate().openEpoch();
  }

  @Override
  public void refused(long epoch, boolean forgotten) {
    refusals.increment();
    FenceBinding bound = binding.getNow(null);
    if (forgotten && bound != null) {
      bound.store().verifySoon();
    }
  }

  @Override
  public RuntimeException refusal(long epoch) {
    return fence.gate().refusedBy(fence.id(), epoch);
  }

  FenceView view(String election, int connections) {
    return new FenceView(
        fence.id(),
        election,
        where,
        new InstalledEpoch(
            state.epoch() == 0 ? null : state.epoch(),
            state.holder().isEmpty() ? null : state.holder()),
        new FenceTraffic(connections, refusals.sum()),
        problem,
        FenceCoverage.NO_GAP);
  }
}
