package io.portcullis.rules.match;

import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of the methods that the types named by a pattern declare or inherit: in a subtype,
 * only these match. They include the targets of bridges in the types between. If the class file of
 * a type can't be read, its methods are unknown, and all methods that fit the rest of the pattern
 * match.
 */
final class TypeMethods {
  private final TypeLookup types;
  private final Map<String, MethodShape> bySignature = new LinkedHashMap<>();
  private final List<ClassShape> named = new ArrayList<>();
  private @Nullable String unreadable;

  /**
   * Reads the methods.
   *
   * @param roots the supertypes of a class that the pattern names
   * @param supertypes all its supertypes
   */
  TypeMethods(Set<String> roots, Set<String> supertypes, TypeLookup types) {
    this.types = types;
    for (String root : roots) {
      readRoot(root);
    }
    followBridges(supertypes);
  }

  private void readRoot(String root) {
    ClassShape shape = read(root);
    if (shape == null) {
      return;
    }
    named.add(shape);
    shape.methods().forEach(this::add);
    for (String parent : new TypeHierarchy(types).supertypes(shape.head())) {
      ClassShape inherited = read(parent);
      if (inherited == null) {
        return;
      }
      boolean fromInterface = inherited.isInterface();
      for (MethodShape method : inherited.methods()) {
        if (!method.isPrivate() && !(fromInterface && method.isStatic())) {
          add(method);
        }
      }
    }
  }

  private void followBridges(Set<String> supertypes) {
    List<ClassShape> shapes = new ArrayList<>();
    for (String name : supertypes) {
      ClassShape shape = name.startsWith("java.") ? null : types.shape(name);
      if (shape != null && shape.methods().stream().anyMatch(MethodShape::isBridge)) {
        shapes.add(shape);
      }
    }
    int before;
    do {
      before = bySignature.size();
      shapes.forEach(this::followBridges);
    } while (bySignature.size() > before);
  }

  private void followBridges(ClassShape shape) {
    for (MethodShape bridge : shape.methods()) {
      if (bridge.isBridge() && bySignature.containsKey(bridge.signature())) {
        shape.methods().stream().filter(bridge::leadsTo).forEach(this::add);
      }
    }
  }

  private @Nullable ClassShape read(String name) {
    ClassShape shape = types.shape(name);
    if (shape == null) {
      unreadable = name;
    }
    return shape;
  }

  private void add(MethodShape method) {
    if (!method.isInitialiser()) {
      bySignature.putIfAbsent(method.signature(), method);
    }
  }

  boolean contain(MethodShape method) {
    return unreadable != null
        || bySignature.containsKey(method.signature())
        || MethodPattern.isOfObject(method);
  }

  /** A type whose methods could not be read, so that all methods count as its own. */
  @Nullable String unreadable() {
    return unreadable;
  }

  /** The methods for which a subclass can inherit a body. */
  List<MethodShape> overridable(MethodPattern pattern) {
    return bySignature.values().stream()
        .filter(method -> !method.isPrivate() && !method.isStatic())
        .filter(pattern::matches)
        .toList();
  }

  boolean haveNone(MethodPattern pattern) {
    return unreadable == null && bySignature.values().stream().noneMatch(pattern::matches);
  }

  /** The types themselves, as far as they could be read. */
  List<ClassShape> named() {
    return named;
  }
}
