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
 * One question, put to several fences.
 *
 * @param fences who was asked
 * @param answers their answers, in the same order
 */
record FanOut(List<EpochFence> fences, List<CompletionStage<FenceState>> answers) {

  /** Asks them all, and waits for none. */
  static FanOut of(
      List<EpochFence> fences, Function<EpochFence, CompletionStage<FenceState>> question) {
    List<CompletionStage<FenceState>> answers = new ArrayList<>();
    for (EpochFence fence : fences) {
      answers.add(ask(fence, question));
    }
    return new FanOut(List.copyOf(fences), List.copyOf(answers));
  }

  /** The questions of both. */
  FanOut and(FanOut other) {
    return new FanOut(
        Stream.concat(fences.stream(), other.fences.stream()).toList(),
        Stream.concat(answers.stream(), other.answers.stream()).toList());
  }

  /** A fence that throws has failed like any other. */
  private static CompletionStage<FenceState> ask(
      EpochFence fence, Function<EpochFence, CompletionStage<FenceState>> question) {
    try {
      return question.apply(fence);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** One of those that have not answered yet, null if all have. */
  @Nullable EpochFence unanswered() {
    for (int i = 0; i < fences.size(); i++) {
      if (!answers.get(i).toCompletableFuture().isDone()) {
        return fences.get(i);
      }
    }
    return null;
  }

  /**
   * The worst of all, once all have answered.
   *
   * @param judge of what a fence stands at
   */
  CompletionStage<RaiseOutcome> combineWith(
      BiFunction<EpochFence, FenceState, RaiseOutcome> judge) {
    CompletionStage<RaiseOutcome> whole =
        CompletableFuture.completedFuture(new RaiseOutcome.Raised());
    for (int i = 0; i < fences.size(); i++) {
      EpochFence fence = fences.get(i);
      CompletionStage<RaiseOutcome> one =
          answers.get(i).handle((mark, failure) -> judged(fence, mark, failure, judge));
      whole = whole.thenCombine(one, RaiseOutcome::and);
    }
    return whole;
  }

  private static RaiseOutcome judged(
      EpochFence fence,
      @Nullable FenceState mark,
      @Nullable Throwable failure,
      BiFunction<EpochFence, FenceState, RaiseOutcome> judge) {
    if (failure == null && mark != null) {
      return judge.apply(fence, mark);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String said = cause == null ? "it answered nothing" : String.valueOf(cause.getMessage());
    return new RaiseOutcome.Failed(
        "the fence at " + fence.describe() + " can't be relied on: " + said);
  }
}
