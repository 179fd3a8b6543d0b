package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.FenceFunctions;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.fence.Mark;
import io.portcullis.fencing.CheckFunctions;
import io.portcullis.fencing.FencedSite;
import io.portcullis.fencing.SiteNotReady;
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
final class Site implements FencedSite {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final String NOT_REACHED = "not reached yet";

  /** How long a write waits, beside the fence's own patience, until it is known how to check it. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final NodeFence fence;
  private final String where;
  private final LongAdder refusals = new LongAdder();

  /** Completed once an epoch that this node holds stands here, if it holds one. */
  private final CompletableFuture<Guard> guard = new CompletableFuture<>();

  private volatile @Nullable CheckFunctions functions;
  private volatile Mark mark = Mark.NONE;
  private volatile @Nullable String trouble = NOT_REACHED;
  private volatile @Nullable CompletionStage<Mark> lastLook;

  /** The fence itself, and the store that keeps it up to date. */
  private record Guard(EpochFence fence, FencedStore store) {}

  Site(NodeFence fence, String where) {
    this.fence = fence;
    this.where = where;
  }

  void begin(EpochFence opened, FencedStore store, CompletionStage<?> standing) {
    standing.whenComplete((done, failure) -> guard.complete(new Guard(opened, store)));
    look();
  }

  @Override
  public CheckFunctions checkFunctions() throws SiteNotReady {
    CheckFunctions known = functions;
    return known == null ? awaitFunctions() : known;
  }

  private CheckFunctions awaitFunctions() throws SiteNotReady {
    long patience = fence.plan().patience().plus(GRACE).toMillis();
    try {
      guard.thenCompose(begun -> look()).get(patience, TimeUnit.MILLISECONDS);
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

  private SiteNotReady notReady(String why) {
    return new SiteNotReady(
        "Fence '%s' does not stand at %s: %s. Nothing is written there until it does."
            .formatted(fence.id(), where, why));
  }

  /** Looks now and then: whoever has not answered the last look by then is said to be silent. */
  CompletionStage<Mark> lookOut() {
    CompletionStage<Mark> before = lastLook;
    if (before != null && !before.toCompletableFuture().isDone()) {
      if (trouble == null || NOT_REACHED.equals(trouble)) { // Else more is known than that.
        note(new IllegalStateException("no answer to the last look so far"));
      }
      return before;
    }
    CompletionStage<Mark> now = look();
    lastLook = now;
    return now;
  }

  /** Looks what the fence stands at; fails if it can't be reached. */
  CompletionStage<Mark> look() {
    Guard begun = guard.getNow(null);
    if (begun == null) {
      return CompletableFuture.failedFuture(new IllegalStateException(NOT_REACHED));
    }
    return begun
        .fence()
        .read()
        .whenComplete(
            (seen, failure) -> {
              if (failure == null) {
                mark = seen;
                learn(begun.fence().functions());
              }
              note(failure);
            });
  }

  private void learn(@Nullable FenceFunctions found) {
    if (found != null && functions == null) {
      functions =
          new CheckFunctions(found.check(), found.hold(), found.letGo(), fence.plan().scope());
    }
  }

  private void note(@Nullable Throwable failure) {
    String before = trouble;
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String now = cause == null ? null : String.valueOf(cause.getMessage());
    trouble = now;
    if (now != null && !now.equals(before)) {
      LOG.warn("portcullis fence={} does not answer at {} why=\"{}\"", fence.id(), where, now);
    } else if (now == null && before != null) {
      LOG.info(
          "portcullis fence={} stands at {} epoch={} holder={}",
          fence.id(),
          where,
          mark.epoch(),
          mark.holder());
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
    Guard begun = guard.getNow(null);
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
        mark.epoch() == 0 ? null : mark.epoch(),
        mark.holder().isEmpty() ? null : mark.holder(),
        connections,
        refusals.sum(),
        trouble);
  }
}
