package io.portcullis.rules.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Methods of every return type that a gate may need a value for. */
@SuppressWarnings({"unused", "UnusedMethod", "NonApiType"})
class Returning {
  int bodies;

  void nothing() {
    bodies++;
  }

  boolean truth() {
    return ++bodies > 100;
  }

  byte tiny() {
    return (byte) ++bodies;
  }

  char character() {
    bodies++;
    return 'b';
  }

  short small() {
    return (short) ++bodies;
  }

  int number(int a, long b) {
    return (int) (++bodies + a + b);
  }

  static long big(long a) {
    return -a;
  }

  float rough() {
    return ++bodies;
  }

  double precise(double a) {
    return ++bodies + a;
  }

  Boolean boxedTruth() {
    return ++bodies > 100;
  }

  Long boxed() {
    return (long) ++bodies;
  }

  String text() {
    return "body " + ++bodies;
  }

  Object anything() {
    return ++bodies;
  }

  Mine mine() {
    bodies++;
    return new Mine();
  }

  Optional<String> optional() {
    return Optional.of("body " + ++bodies);
  }

  OptionalInt optionalInt() {
    return OptionalInt.of(++bodies);
  }

  List<String> list() {
    return List.of("body " + ++bodies);
  }

  ArrayList<String> concreteList() {
    return new ArrayList<>(list());
  }

  Set<String> set() {
    return Set.of("body " + ++bodies);
  }

  Map<String, String> map() {
    return Map.of("body", "" + ++bodies);
  }

  Collection<String> collection() {
    return list();
  }

  Iterable<String> iterable() {
    return list();
  }

  Iterator<String> iterator() {
    return list().iterator();
  }

  Stream<String> stream() {
    return list().stream();
  }

  IntStream intStream() {
    return IntStream.of(++bodies);
  }

  int[] numbers() {
    return new int[] {++bodies};
  }

  long[][] table() {
    return new long[][] {{++bodies}};
  }

  Mine[] mines() {
    bodies++;
    return new Mine[1];
  }

  CompletableFuture<String> later() {
    return CompletableFuture.completedFuture("body " + ++bodies);
  }

  CompletionStage<String> staged(CompletableFuture<String> answer) {
    bodies++;
    return answer;
  }

  synchronized String locked() {
    return "body " + ++bodies;
  }

  String failing(String reason) {
    bodies++;
    throw new UnsupportedOperationException(reason);
  }

  Object chosen(boolean first) {
    try {
      return first ? Arrays.asList("first") : Collections.emptySet();
    } finally {
      bodies++;
    }
  }

  static class Mine {}
}
