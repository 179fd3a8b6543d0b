package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The methods that the analysed rules would gate. Rules in observe mode gate nothing. */
public final class GatedMethods {
  private final Map<String, Set<String>> methods = new HashMap<>();

  void add(List<GatedMethod> gated) {
    for (GatedMethod method : gated) {
      methods.computeIfAbsent(method.type().name(), name -> new HashSet<>()).add(method.key());
    }
  }

  /**
   * Whether a method is gated.
   *
   * @param key method name and descriptor
   */
  public boolean has(String className, String key) {
    return methods.getOrDefault(className, Set.of()).contains(key);
  }

  /** A method that a rule would gate. */
  public record GatedMethod(OfflineClass type, MethodShape method) {

    String key() {
      return method.name() + method.descriptor();
    }

    /** Whether a subclass may override the method. */
    boolean canBeOverridden() {
      return (method.access() & (Modifier.STATIC | Modifier.PRIVATE | Modifier.FINAL)) == 0
          && !method.name().startsWith("<");
    }

    @Override
    public String toString() {
      return type.name() + "#" + method.signature();
    }
  }
}
