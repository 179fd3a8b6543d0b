package io.portcullis.rules.check.classpath;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Type hierarchy of a class path. Parents that can't be read are known by name only. */
public final class ClassPathHierarchy {
  private final ClassPath classPath;
  private final Map<String, List<OfflineClass>> children = new HashMap<>();
  private final Map<String, Set<String>> supertypes = new HashMap<>();
  private final Map<String, Collection<OfflineClass>> subtypes = new HashMap<>();

  public ClassPathHierarchy(ClassPath classPath) {
    this.classPath = classPath;
    for (OfflineClass type : classPath.classes()) {
      for (String parent : parents(type.shape())) {
        children.computeIfAbsent(parent, name -> new ArrayList<>()).add(type);
      }
    }
  }

  /** A type and all its supertypes, nearest first. */
  public Set<String> withSupertypes(String name) {
    return supertypes.computeIfAbsent(name, this::findSupertypes);
  }

  private Set<String> findSupertypes(String name) {
    Set<String> above = new LinkedHashSet<>();
    Deque<String> waiting = new ArrayDeque<>(List.of(name));
    while (!waiting.isEmpty()) {
      String next = waiting.remove();
      if (above.add(next)) {
        ClassShape shape = classPath.read(next);
        if (shape != null) {
          waiting.addAll(parents(shape));
        }
      }
    }
    return above;
  }

  /**
   * Whether a type declares a method with this name and number of parameters. True for a type that
   * can't be read.
   */
  public boolean mayDeclare(String type, MethodShape method) {
    ClassShape shape = classPath.read(type);
    return shape == null
        || shape.methods().stream()
            .anyMatch(
                other ->
                    other.name().equals(method.name())
                        && other.parameterTypes().size() == method.parameterTypes().size());
  }

  /** Whether a class extends the class with this name, directly or through other classes. */
  public boolean isSuperclass(String name, ClassShape type) {
    String superclass = type.superclass();
    while (superclass != null && !superclass.equals(name)) {
      ClassShape parent = classPath.read(superclass);
      superclass = parent == null ? null : parent.superclass();
    }
    return superclass != null;
  }

  /** All subtypes of a type on the class path, without the type itself. */
  public Collection<OfflineClass> subtypes(String name) {
    return children.containsKey(name)
        ? subtypes.computeIfAbsent(name, this::findSubtypes)
        : List.of();
  }

  private Collection<OfflineClass> findSubtypes(String name) {
    Map<String, OfflineClass> below = new LinkedHashMap<>();
    Deque<String> waiting = new ArrayDeque<>(List.of(name));
    while (!waiting.isEmpty()) {
      for (OfflineClass child : children.getOrDefault(waiting.remove(), List.of())) {
        if (below.putIfAbsent(child.name(), child) == null) {
          waiting.add(child.name());
        }
      }
    }
    return below.values();
  }

  private static List<String> parents(ClassShape shape) {
    List<String> parents = new ArrayList<>();
    if (shape.superclass() != null) {
      parents.add(shape.superclass());
    }
    parents.addAll(shape.interfaces());
    return parents;
  }
}
