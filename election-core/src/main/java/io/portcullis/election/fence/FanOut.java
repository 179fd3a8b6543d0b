package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request, sent to several fences.
 *
 * @param fences the receivers
 * @param responses their responses, in the same order
 */
record FanOut(List<EpochFence> fences, List<CompletionStage<FenceState>> responses) {

  /** Sends the request to all of them without waiting. */
  static FanOut of(
      List<EpochFence> fences, Function<EpochFence, CompletionStage<FenceState>> request) {
    List<CompletionStage<FenceState>> responses = new ArrayList<>();
    for (EpochFence fence : fences) {
      responses.add(ask(fence, request));
    }
    return new FanOut(List.copyOf(fences), List.copyOf(responses));
  }

  FanOut and(FanOut other) {
    return new FanOut(
        Stream.concat(fences.stream(), other.fences.stream()).toList(),
        Stream.concat(responses.stream(), other.responses.stream()).toList());
  }

  /** A fence that throws counts as failed. */
  private static CompletionStage<FenceState> ask(
      EpochFence fence, Function<EpochFence, CompletionStage<FenceState>> request) {
    try {
      return request.apply(fence);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A fence that has not responded yet, null if all have. */
  @Nullable EpochFence unanswered() {
    for (int i = 0; i < fences.size(); i++) {
      if (!responses.get(i).toCompletableFuture().isDone()) {
        return fences.get(i);
      }
    }
    return null;
  }

  /**
   * Completes with the worst outcome once all fences have responded.
   *
   * @param evaluate turns a fence's state into an outcome
   */
  CompletionStage<RaiseOutcome> combineWith(
      BiFunction<EpochFence, FenceState, RaiseOutcome> evaluate) {
    CompletionStage<RaiseOutcome> whole =
        CompletableFuture.completedFuture(new RaiseOutcome.Raised());
    for (int i = 0; i < fences.size(); i++) {
      EpochFence fence = fences.get(i);
      CompletionStage<RaiseOutcome> one =
          responses.get(i).handle((state, failure) -> outcomeOf(fence, state, failure, evaluate));
      whole = whole.thenCombine(one, RaiseOutcome::and);
    }
    return whole;
  }

  private static RaiseOutcome outcomeOf(
      EpochFence fence,
      @Nullable FenceState state,
      @Nullable Throwable failure,
      BiFunction<EpochFence, FenceState, RaiseOutcome> evaluate) {
    if (failure == null && state != null) {
      return evaluate.apply(fence, state);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String detail = cause == null ? "it returned no state" : String.valueOf(cause.getMessage());
    return new RaiseOutcome.Failed(
        "the fence at " + fence.describe() + " can't be relied on: " + detail);
  }
}
