package io.portcullis.rules.match;

import io.portcullis.rules.match.MethodShape.Lead;
import io.portcullis.rules.match.MethodShape.Way;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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

  private final TypeLookup types;
  private final Predicate<ClassHeader> meant;

  /**
   * Looks among the types.
   *
   * @param meant whether the rule means a superclass by itself
   */
  InheritedBodies(TypeLookup types, Predicate<ClassHeader> meant) {
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
      if (own.contains(method.signature())) {
        behindBridges(shape, method.signature())
            .forEach(signature -> find(shape, signature, inherited));
      } else {
        find(shape, method.signature(), inherited);
      }
    }
    return inherited.isEmpty() ? "" : text(shape, inherited);
  }

  private void find(ClassShape shape, String signature, Map<String, String> inherited) {
    String owner = ownerOfBody(shape, signature);
    if (owner != null) {
      inherited.put(owner + "#" + signature, owner);
    }
  }

  /** A bridge is gated, but not the parent's method behind it for those who call that directly. */
  private static List<String> behindBridges(ClassShape shape, String signature) {
    List<String> behind = new ArrayList<>();
    for (MethodShape bridge : shape.methods()) {
      Lead lead = bridge.lead();
      if (lead != null && lead.way() == Way.TO_PARENT && bridge.signature().equals(signature)) {
        behind.add(new MethodShape(0, bridge.name(), lead.descriptor(), List.of()).signature());
      }
    }
    return behind;
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
