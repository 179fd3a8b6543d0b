package io.portcullis.rules.sample;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Methods that return the future that they are given. */
class Asynchronous {
  CompletableFuture<Object> future(CompletableFuture<Object> answer) {
    return answer;
  }

  CompletionStage<Object> stage(CompletionStage<Object> answer) {
    return answer;
  }

  Object plain(Object answer) {
    return answer;
  }
}
