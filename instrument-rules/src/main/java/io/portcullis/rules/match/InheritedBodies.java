package io.portcullis.rules.match;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The trap of {@code Type+}: a subtype that has no body of its own for a method of Type, but
 * inherits one from a superclass that is no subtype of Type. The rule does not mean that
 * superclass, whose other subclasses have nothing to do with Type; so its body is not gated, and
 * whoever calls the method of Type on such a subtype gets past the gate. All that can be done is to
 * say so.
 */
final class InheritedBodies {
  private static final int MAX_NAMED = 5;

  private final Types types;
  private final Predicate<ClassHead> meant;

  /**
   * Looks among the types.
   *
   * @param meant whether the rule means a superclass by itself
   */
  InheritedBodies(Types types, Predicate<ClassHead> meant) {
    this.types = types;
    this.meant = meant;
  }

  /** What is amiss, for people; empty if nothing is. */
  String warning(ClassShape shape, Iterable<MethodShape> wanted) {
    if (shape.isInterface()) {
      return "";
    }
    Set<String> own =
        shape.methods().stream().map(MethodShape::signature).collect(Collectors.toSet());
    Map<String, String> inherited = new LinkedHashMap<>();
    for (MethodShape method : wanted) {
      if (!own.contains(method.signature())) {
        String owner = ownerOfBody(shape, method.signature());
        if (owner != null) {
          inherited.put(owner + "#" + method.signature(), owner);
        }
      }
    }
    return inherited.isEmpty() ? "" : text(shape, inherited);
  }

  private static String text(ClassShape shape, Map<String, String> inherited) {
    String some = inherited.keySet().stream().limit(MAX_NAMED).collect(Collectors.joining(" and "));
    return "%s inherits %s%s, which this rule does not gate: %s"
        .formatted(
            shape.name(),
            some,
            inherited.size() > MAX_NAMED ? " and others" : "",
            inherited.values().stream().allMatch(owner -> owner.startsWith("java."))
                ? "override it in " + shape.name()
                : "add a rule for it, or override it in " + shape.name());
  }

  /** The superclass whose body it is, unless the rule means that one by itself. */
  private @Nullable String ownerOfBody(ClassShape shape, String signature) {
    Set<String> seen = new HashSet<>();
    String name = shape.superclass();
    while (name != null && seen.add(name)) {
      ClassShape parent = types.shape(name);
      if (parent == null || meant.test(parent.head())) {
        return null;
      }
      for (MethodShape method : parent.methods()) {
        boolean inheritable = !method.isPrivate() && !method.isStatic();
        if (inheritable && method.signature().equals(signature)) {
          return method.isAbstract() ? null : name;
        }
      }
      name = parent.superclass();
    }
    return null;
  }
}
