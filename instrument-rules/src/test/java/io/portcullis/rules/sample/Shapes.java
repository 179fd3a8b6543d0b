package io.portcullis.rules.sample;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Methods of every shape that a gate has to fit. */
@SuppressWarnings({"unused", "UnusedMethod", "StatementSwitchToExpressionSwitch"})
class Shapes {
  int bodies;

  void plain() {
    bodies++;
  }

  static String fixed(String text) {
    return "fixed " + text;
  }

  private int secret() {
    return 42;
  }

  synchronized long locked(long a, double b, int c) {
    return a + (long) b + c;
  }

  final double precise(double a, long b) {
    double product = a * b;
    if (product > 100) {
      return product;
    }
    return -product;
  }

  String many(String... texts) {
    return String.join("-", texts);
  }

  int failing(int how) {
    if (how == 0) {
      throw new IllegalArgumentException("none of our business");
    }
    try {
      return 10 / (how - 1);
    } catch (ArithmeticException e) {
      return -1;
    } finally {
      bodies++;
    }
  }

  /** Reuses the parameter's variable for another type, which stack maps must survive. */
  Object reuse(Object value) {
    Object result = value;
    for (int i = 0; i < 3; i++) {
      if (result instanceof String text) {
        result = Arrays.asList(text, i);
      } else if (result instanceof List<?> list) {
        result = list.size();
      } else {
        result = "number " + result;
      }
    }
    value = result;
    return value;
  }

  String choice(int number) {
    switch (number) {
      case 0:
        return "zero";
      case 1:
      case 2:
        return "few";
      case 1000:
        return "many";
      default:
        return number < 0 ? "negative" : "some";
    }
  }

  void endless(int rounds) {
    while (true) {
      if (bodies++ > rounds) {
        throw new UnsupportedOperationException("the only way out");
      }
    }
  }

  CompletableFuture<String> later(boolean fail) {
    bodies++;
    if (fail) {
      throw new IllegalArgumentException("before there was a future");
    }
    return CompletableFuture.completedFuture("done");
  }

  CompletionStage<String> staged() {
    bodies++;
    return CompletableFuture.completedStage("staged");
  }

  Runnable lambda() {
    return () -> bodies++;
  }

  Unloaded mention(Unloaded other) {
    return other;
  }

  /** A class that gating must not load. */
  static class Unloaded extends UnloadedParent {}

  static class UnloadedParent {}
}
