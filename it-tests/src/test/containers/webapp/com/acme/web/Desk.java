package com.acme.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the web application does. */
final class Desk {
  private static final ConcurrentLinkedQueue<CompletableFuture<String>> OPEN =
      new ConcurrentLinkedQueue<>();

  private Desk() {}

  static String work() {
    return "done";
  }

  /** Never done: whoever redeploys the application does not wait for it. */
  static CompletableFuture<String> promise() {
    CompletableFuture<String> promise = new CompletableFuture<>();
    OPEN.add(promise);
    return promise;
  }
}
