package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fences of databases that the application connects to in addition to those that the settings name,
 * each with its last installation. They are raised with the others, but their epochs have no effect
 * on the election, since the settings do not name them. A grant waits until they have responded, so
 * that work under older epochs has ended there too, and proceeds whatever they respond. It does not
 * wait for a fence whose last installation failed or is still in progress, so each fence can delay
 * a grant once.
 *
 * <p>Thread-safe. {@link FenceGroup} calls {@link #install} under its lock, like every raise.
 */
final class AdditionalFences {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final Map<EpochFence, CompletionStage<Void>> lastInstalls = new ConcurrentHashMap<>();
  private final String node;

  AdditionalFences(String node) {
    this.node = node;
  }

  void add(EpochFence fence) {
    lastInstalls.put(fence, DONE);
  }

  void remove(EpochFence fence) {
    lastInstalls.remove(fence);
  }

  boolean contains(EpochFence fence) {
    return lastInstalls.containsKey(fence);
  }

  List<EpochFence> list() {
    return List.copyOf(lastInstalls.keySet());
  }

  CompletionStage<Void> lastInstall(EpochFence fence) {
    return lastInstalls.getOrDefault(fence, DONE);
  }

  boolean hasSucceeded(EpochFence fence) {
    CompletableFuture<Void> last = lastInstall(fence).toCompletableFuture();
    return last.isDone() && !last.isCompletedExceptionally();
  }

  /** Completes normally when the last installation ends, even if it fails. */
  CompletionStage<Void> lastInstallEnded(EpochFence fence) {
    return lastInstall(fence).exceptionally(failure -> null);
  }

  FanOut install(EpochFence fence, long epoch) {
    FanOut sent = FanOut.of(List.of(fence), each -> each.install(epoch, node));
    lastInstalls.replace(
        fence,
        sent.combineWith(
                (each, found) -> RaiseOutcome.ofInstall(each, new FenceState(epoch, node), found))
            .thenAccept(AdditionalFences::requireRaised));
    return sent;
  }

  private static void requireRaised(RaiseOutcome outcome) {
    if (outcome instanceof RaiseOutcome.Failed failed) {
      throw new IllegalStateException(failed.why());
    }
    if (outcome instanceof RaiseOutcome.Superseded superseded) {
      throw new IllegalStateException(superseded.sentence());
    }
  }
}
