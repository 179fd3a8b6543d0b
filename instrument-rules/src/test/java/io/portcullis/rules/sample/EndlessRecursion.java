package io.portcullis.rules.sample;

import java.util.concurrent.CompletableFuture;

/** Calls itself until the stack is full. */
@SuppressWarnings("InfiniteRecursion") // The purpose of this class.
public class EndlessRecursion {
  public int plain() {
    return plain() + 1;
  }

  /** Ends normally, wherever the stack was full. */
  public int forgiving() {
    try {
      return forgiving() + 1;
    } catch (StackOverflowError full) {
      return 0;
    }
  }

  public CompletableFuture<Integer> future() {
    return future().thenApply(depth -> depth + 1);
  }
}
