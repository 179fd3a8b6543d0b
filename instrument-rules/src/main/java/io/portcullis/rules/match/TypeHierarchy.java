package io.portcullis.rules.match;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the supertypes and annotations of a class, direct and indirect. The search terminates even
 * if class files contradict each other and form a cycle.
 */
public final class TypeHierarchy {
  private static final String INHERITED = "java.lang.annotation.Inherited";

  private final TypeLookup types;
  private final Set<String> unknown = new LinkedHashSet<>();

  public TypeHierarchy(TypeLookup types) {
    this.types = types;
  }

  /** Supertypes that were looked up but are known by name only. */
  public Set<String> unknown() {
    return Set.copyOf(unknown);
  }

  /** The names of all supertypes, nearest first, the class itself not included. */
  public Set<String> supertypes(ClassHeader head) {
    Set<String> found = new LinkedHashSet<>();
    Deque<ClassHeader> open = new ArrayDeque<>();
    open.add(head);
    while (!open.isEmpty()) {
      ClassHeader next = open.remove();
      follow(next.superclass(), found, open);
      next.interfaces().forEach(name -> follow(name, found, open));
    }
    return found;
  }

  private void follow(@Nullable String name, Set<String> found, Deque<ClassHeader> open) {
    if (name != null && found.add(name)) {
      ClassHeader head = supertype(name);
      if (head != null) {
        open.add(head);
      }
    }
  }

  private @Nullable ClassHeader supertype(String name) {
    ClassHeader head = types.head(name);
    if (head == null) {
      unknown.add(name);
    }
    return head;
  }

  /** Whether the type carries the annotation, or inherits it from a superclass. */
  public boolean carries(ClassHeader head, String annotation) {
    return leads(head.annotations(), annotation) || inherits(head, annotation);
  }

  private boolean inherits(ClassHeader head, String annotation) {
    for (String name : inheritedAnnotations(head)) {
      if (leadsTo(name, annotation)) {
        return true;
      }
    }
    return false;
  }

  /** Annotations of the superclasses that count for their subclasses too, by {@code @Inherited}. */
  public Set<String> inheritedAnnotations(ClassHeader head) {
    Set<String> found = new LinkedHashSet<>();
    Set<String> seen = new HashSet<>();
    String superclass = head.isInterface() ? null : head.superclass();
    while (superclass != null && seen.add(superclass)) {
      ClassHeader parent = supertype(superclass);
      if (parent == null) {
        break;
      }
      for (String name : parent.annotations()) {
        ClassHeader type = types.head(name);
        if (type != null && type.annotations().contains(INHERITED)) {
          found.add(name);
        }
      }
      superclass = parent.superclass();
    }
    return found;
  }

  boolean leads(Set<String> annotations, String annotation) {
    for (String name : annotations) {
      if (leadsTo(name, annotation)) {
        return true;
      }
    }
    return false;
  }

  private boolean leadsTo(String name, String annotation) {
    return name.equals(annotation) || withMeta(name).contains(annotation);
  }

  /** An annotation type and all that it carries as meta-annotations, at any depth. */
  public Set<String> withMeta(String annotation) {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>();
    found.add(annotation);
    open.add(annotation);
    while (!open.isEmpty()) {
      ClassHeader type = types.head(open.remove());
      if (type != null) {
        for (String meta : type.annotations()) {
          if (found.add(meta)) {
            open.add(meta);
          }
        }
      }
    }
    return found;
  }

  /** Looks up types by binary name, as the class being matched would find them. */
  public interface TypeLookup {
    /** Returns the header of a type; null if the type is unknown. */
    @Nullable ClassHeader head(String name);

    /** Returns the type with its methods; null if they are unknown. */
    @Nullable ClassShape shape(String name);
  }
}
