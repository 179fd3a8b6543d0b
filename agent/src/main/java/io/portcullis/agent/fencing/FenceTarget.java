package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
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

/** One fenced database, as this node knows it. */
final class FenceTarget implements FencedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String NOT_REACHED = "not reached yet";
  private static final String IN_RECOVERY =
      "is in recovery: nothing can be written there, and functions are run read-only";

  /** How long a write waits, beside the fence's own patience, until it is known how to check it. */
  private static final Duration MAX_EXTRA_WAIT = Duration.ofSeconds(5);

  private final NodeFence fence;
  private final String where;
  private final Kind kind;
  private final LongAdder refusals = new LongAdder();

  /** Completed once an epoch that this node holds stands here, if it holds one. */
  private final CompletableFuture<FenceBinding> guard = new CompletableFuture<>();

  private volatile @Nullable CheckFunctions functions;
  private volatile FenceState state = FenceState.NONE;
  private volatile @Nullable String trouble = NOT_REACHED;
  private volatile @Nullable CompletionStage<FenceState> lastRead;
  private volatile @Nullable Long usedAtNanos;

  /** The fence itself, and the store that keeps it up to date. */
  private record FenceBinding(EpochFence fence, FencedStore store) {
    CompletionStage<Void> lastInstall() {
      return store.lastInstall(fence);
    }
  }

  /** What a place is to its fence. */
  enum Kind {
    /** The database that the fence's url names. */
    HOME,
    /** Another one that its match covers. */
    JOINED,
    /** Stands for all databases beyond {@link NodeFence#MAX_DATABASES}. */
    OVER_LIMIT
  }

  FenceTarget(NodeFence fence, String where, Kind kind) {
    this.fence = fence;
    this.where = where;
    this.kind = kind;
    if (kind == Kind.OVER_LIMIT) {
      trouble = "the fence covers more databases than it keeps up to date; narrow its match";
    }
  }

  /** Records a connection. */
  void used(long nowNanos) {
    usedAtNanos = nowNanos;
  }

  /** Whether there ever was a connection. */
  boolean isUsed() {
    return usedAtNanos != null;
  }

  /** How long there has been no connection. */
  long unusedNanos(long nowNanos) {
    Long used = usedAtNanos;
    return used == null ? 0 : nowNanos - used;
  }

  /** Ends the thread and connection for this database. */
  void close() {
    LOG.info("portcullis fence={} closes {}: it has no connections", fence.id(), where);
    CompletionStage<FenceBinding> once = guard;
    once.thenAccept(begun -> begun.store().remove(begun.fence()));
  }

  void begin(EpochFence opened, FencedStore store, CompletionStage<?> standing) {
    standing.whenComplete((done, failure) -> guard.complete(new FenceBinding(opened, store)));
    readState();
  }

  @Override
  public CheckFunctions checkFunctions() throws FenceNotReadyException {
    if (kind == Kind.OVER_LIMIT) {
      throw notReady(String.valueOf(trouble));
    }
    CheckFunctions known = functions;
    return known == null || isBeingRaised() ? awaitFunctions() : known;
  }

  /** The home is raised before the gate opens; others may be raised later. */
  private boolean isBeingRaised() {
    FenceBinding begun = guard.getNow(null);
    return begun != null && !begun.lastInstall().toCompletableFuture().isDone();
  }

  @Override
  public boolean isInRecovery() {
    FenceBinding begun = guard.getNow(null);
    return begun != null && begun.fence().isInRecovery();
  }

  private CheckFunctions awaitFunctions() throws FenceNotReadyException {
    long patience = fence.plan().patience().plus(MAX_EXTRA_WAIT).toMillis();
    try {
      guard
          .thenCompose(begun -> begun.lastInstall().handle((done, failure) -> begun))
          .thenCompose(begun -> readState())
          .get(patience, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notReady("the thread was interrupted");
    } catch (TimeoutException e) {
      throw notReady("no answer within " + patience + " ms");
    } catch (ExecutionException e) {
      throw notReady(String.valueOf(trouble));
    }
    CheckFunctions known = functions;
    if (known == null) {
      throw notReady(String.valueOf(trouble));
    }
    return known;
  }

  private FenceNotReadyException notReady(String why) {
    return new FenceNotReadyException(
        "Fence '%s' does not stand at %s: %s. Nothing is written there until it does."
            .formatted(fence.id(), where, why));
  }

  /** Looks now and then: whoever has not answered the last look by then is said to be silent. */
  CompletionStage<FenceState> refresh() {
    CompletionStage<FenceState> before = lastRead;
    if (before != null && !before.toCompletableFuture().isDone()) {
      if (trouble == null || NOT_REACHED.equals(trouble)) { // Else more is known than that.
        note("no answer to the last read so far");
      }
      return before;
    }
    CompletionStage<FenceState> now = readState();
    lastRead = now;
    return now;
  }

  /** Looks what the fence stands at; fails if it can't be reached. */
  CompletionStage<FenceState> readState() {
    FenceBinding begun = guard.getNow(null);
    if (begun == null) {
      return CompletableFuture.failedFuture(new IllegalStateException(NOT_REACHED));
    }
    return begun
        .fence()
        .read()
        .whenComplete(
            (seen, failure) -> {
              if (failure == null) {
                state = seen;
                learn(begun.fence().functions());
                note(objection(seen), "refuses writes");
              } else {
                note(reason(failure));
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
   * A home at a higher epoch ends the tenure. Any other database only refuses writes, which the
   * operator has to know.
   */
  private @Nullable String objection(FenceState seen) {
    long open = fence.gate().openEpoch();
    boolean isAnothers =
        seen.epoch() > open || (seen.epoch() == open && !seen.holder().equals(fence.identity()));
    return kind == Kind.JOINED && open > 0 && isAnothers
        ? "it stands at epoch %d by %s, not at epoch %d under which this node leads, and so refuses"
                .formatted(seen.epoch(), seen.holder(), open)
            + " this node's writes; the election goes on, since the fence's url does not name this"
            + " database"
        : null;
  }

  private void learn(@Nullable FenceFunctions found) {
    if (found != null && functions == null) {
      functions =
          new CheckFunctions(found.check(), found.hold(), found.release(), fence.plan().scope());
    }
  }

  private void note(@Nullable String now) {
    note(now, "does not answer");
  }

  private void note(@Nullable String now, String problem) {
    String before = trouble;
    trouble = now;
    if (now != null && now.equals(IN_RECOVERY)) {
      if (!now.equals(before)) {
        LOG.info("portcullis fence={} at {}: {}", fence.id(), where, now);
      }
    } else if (now != null && !now.equals(before)) {
      LOG.warn("portcullis fence={} {} at {} why=\"{}\"", fence.id(), problem, where, now);
    } else if (now == null && before != null) {
      LOG.info(
          "portcullis fence={} stands at {} epoch={} holder={}",
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
    FenceBinding begun = guard.getNow(null);
    if (forgotten && begun != null) {
      begun.store().verifySoon();
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
        state.epoch() == 0 ? null : state.epoch(),
        state.holder().isEmpty() ? null : state.holder(),
        connections,
        refusals.sum(),
        trouble);
  }
}
