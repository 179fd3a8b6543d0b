package io.portcullis.rules.sample;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Methods that run as long as the callable that they are given. */
class CallableRunner {
  void run(Callable<?> body) throws Exception {
    body.call();
  }

  Object call(Callable<?> body) throws Exception {
    return body.call();
  }

  int count(Callable<Integer> body) throws Exception {
    return body.call();
  }

  static long fixed(Callable<Long> body, long factor) throws Exception {
    return body.call() * factor;
  }

  Object nested(Callable<?> body) throws Exception {
    return call(body);
  }

  synchronized Object locked(Callable<?> body) throws Exception {
    return body.call();
  }

  CompletableFuture<Object> future(CompletableFuture<Object> answer) {
    return answer;
  }

  CompletionStage<Object> stage(CompletionStage<Object> answer) {
    return answer;
  }
}
