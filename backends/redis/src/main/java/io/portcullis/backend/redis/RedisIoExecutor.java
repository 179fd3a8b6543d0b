package io.portcullis.backend.redis;

import io.portcullis.election.threads.DaemonThreads;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * A thread that may be kept waiting by the network, with a short queue before it. There is never a
 * second one in its place, so threads do not pile up behind a name server that does not answer.
 */
final class RedisIoExecutor {
  private static final int MAX_QUEUED_TASKS = 64;

  private final ThreadPoolExecutor thread;

  RedisIoExecutor(String name) {
    thread = DaemonThreads.single(name, new ArrayBlockingQueue<>(MAX_QUEUED_TASKS));
  }

  <T> CompletionStage<T> run(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      thread.execute(() -> complete(result, task));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new IOException("too much waits for the network already"));
    }
    return result;
  }

  /** Whoever waits must hear of every end. */
  private static <T> void complete(CompletableFuture<T> result, Callable<T> task) {
    try {
      result.complete(task.call());
    } catch (Exception | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** Starts nothing more. What is under way ends when its wire is cut. */
  void shutdown() {
    var unused = thread.shutdownNow();
  }
}
