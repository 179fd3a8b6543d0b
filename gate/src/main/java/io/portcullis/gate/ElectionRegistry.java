package io.portcullis.gate;

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The elections installed in this JVM, by name. */
final class ElectionRegistry {
  private static final Map<String, ElectionGate> BY_NAME = new ConcurrentHashMap<>();

  private ElectionRegistry() {}

  static ElectionGate add(String name) {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("The name of the election is missing.");
    }
    ElectionGate gate = new ElectionGate(name);
    if (BY_NAME.putIfAbsent(name, gate) != null) {
      throw new IllegalStateException("Election '%s' has a gate already.".formatted(name));
    }
    return gate;
  }

  static boolean none() {
    return BY_NAME.isEmpty();
  }

  static ElectionGate named(String name) {
    ElectionGate gate = name == null ? null : BY_NAME.get(name);
    if (gate == null) {
      throw new IllegalArgumentException(
          "There is no election '%s'; the elections of this JVM are %s. Use one of these names."
              .formatted(name, new TreeSet<>(BY_NAME.keySet())));
    }
    return gate;
  }
}
