package io.portcullis.rules.sample;

import java.util.concurrent.CompletableFuture;

/** Calls itself until the stack is full. */
@SuppressWarnings("InfiniteRecursion") // That is what it is for.
public class EndlessRecursion {
  public int plain() {
    return plain() + 1;
  }

  /** Ends normally, from wherever the stack was full. */
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
