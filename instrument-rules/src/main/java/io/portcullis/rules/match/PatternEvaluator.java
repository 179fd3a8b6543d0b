package io.portcullis.rules.match;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape.BridgeLink;
import io.portcullis.rules.match.MethodShape.BridgeLinkKind;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Evaluates what a pattern matches in one class. */
final class PatternEvaluator {
  private final MatchPattern pattern;
  private final ClassShape shape;
  private final ClassHeader head;
  private final TypeLookup types;
  private final TypeHierarchy kinship;

  PatternEvaluator(MatchPattern pattern, ClassShape shape, TypeLookup types) {
    this.pattern = pattern;
    this.shape = shape;
    this.head = shape.head();
    this.types = types;
    this.kinship = new TypeHierarchy(types);
  }

  /** An annotated annotation type is a meta-annotation: it has nothing to gate. */
  MatchResult meaning() {
    boolean named = pattern.type().matches(shape.name());
    Set<String> supertypes =
        pattern.subtypes() && !named ? kinship.supertypes(head) : Set.<String>of();
    Set<String> roots = named(supertypes);
    String annotation = pattern.annotation();
    if (!named && roots.isEmpty()) {
      return MatchResult.nothing(kinship.unknown());
    }
    boolean typeCarries = annotation == null || kinship.carries(head, annotation);
    boolean onlyPassesItOn = annotation != null && head.isAnnotationType();
    if (onlyPassesItOn || !(typeCarries || carries(head.methodAnnotations(), annotation))) {
      return MatchResult.nothing(kinship.unknown());
    }
    TypeMethods ofType = named ? null : new TypeMethods(roots, supertypes, types);
    List<MethodShape> methods =
        new MethodSelection(
                pattern.method(),
                pattern.subtypes(),
                isOfType(ofType),
                method -> typeCarries || carries(method.annotations(), annotation))
            .of(shape.methods());
    return new MatchResult(
        true,
        methods,
        hint(methods, ofType),
        pattern.subtypes() && awaitsBodies(methods, ofType),
        typeCarries ? trap(ofType) : "",
        kinship.unknown());
  }

  /**
   * Whether a class that is transformed later may have the body. The JVM calls the transformer for
   * a class before it does so for the supertypes, and for a type long before its subtypes.
   */
  private boolean awaitsBodies(List<MethodShape> methods, @Nullable TypeMethods ofType) {
    if (methods.stream().anyMatch(method -> method.hasBody() || method.isNative())) {
      return false;
    }
    if (!methods.isEmpty() || pattern.method().meansConstructors()) {
      return true;
    }
    if (ofType != null) {
      return !ofType.haveNone(pattern.method());
    }
    Set<String> supertypes = kinship.supertypes(head);
    return !shape.isFinal()
        && !new TypeMethods(supertypes, supertypes, types).haveNone(pattern.method());
  }

  private Set<String> named(Set<String> supertypes) {
    Set<String> roots = new LinkedHashSet<>(supertypes);
    roots.removeIf(name -> !pattern.type().matches(name));
    return roots;
  }

  private boolean carries(Set<String> annotations, @Nullable String annotation) {
    return annotation != null && kinship.leads(annotations, annotation);
  }

  /** Whether a method belongs to the named types. Constructors are not inherited and always do. */
  private Predicate<MethodShape> isOfType(@Nullable TypeMethods methods) {
    return methods == null || pattern.method().meansConstructors()
        ? method -> true
        : methods::contain;
  }

  private String hint(List<MethodShape> methods, @Nullable TypeMethods ofType) {
    if (methods.stream().noneMatch(MethodShape::hasBody)
        || methods.stream().anyMatch(MethodShape::isNative)
        || (!pattern.subtypes() && methods.stream().anyMatch(MethodShape::isAbstract))) {
      return new NearMisses(pattern, shape, ofType).text(methods);
    }
    String unreadable = ofType == null ? null : ofType.unreadable();
    return unreadable == null
        ? ""
        : "the class file of %s was not found, so all matching methods of %s are gated"
            .formatted(unreadable, shape.name());
  }

  /** For a class that the pattern names itself: only if the pattern names the method exactly. */
  private String trap(@Nullable TypeMethods ofType) {
    if (!pattern.subtypes() || pattern.method().meansConstructors()) {
      return "";
    }
    TypeMethods wanted = ofType;
    if (wanted == null) {
      if (!pattern.namesItsMethod()) {
        return "";
      }
      Set<String> supertypes = kinship.supertypes(head);
      wanted = new TypeMethods(supertypes, supertypes, types);
    }
    return new InheritedBodies(types, this::isMeant)
        .warning(shape, wanted.overridable(pattern.method()));
  }

  private boolean isMeant(ClassHeader type) {
    return pattern.type().matches(type.name())
        || kinship.supertypes(type).stream().anyMatch(pattern.type()::matches);
  }

  /**
   * Selects the methods of a class that a pattern matches.
   *
   * <p>A bridge is omitted if it certainly leads to another matching method, since its calls would
   * be counted twice. A bridge to an inherited method is kept, and so is one whose target is
   * uncertain. If subtypes match, a bridge and its target count as one: a method {@code
   * save(Order)} that implements {@code save(T)} is gated for direct calls too.
   *
   * @param ofType whether a method belongs to the type that the pattern names
   * @param carried whether a method has the required annotation
   */
  record MethodSelection(
      MethodPattern pattern,
      boolean subtypes,
      Predicate<MethodShape> ofType,
      Predicate<MethodShape> carried) {

    List<MethodShape> of(List<MethodShape> declared) {
      Set<MethodShape> meant = new LinkedHashSet<>();
      for (MethodShape method : declared) {
        if (pattern.matches(method) && ofType.test(method) && carried.test(method)) {
          meant.add(method);
        }
      }
      if (subtypes) {
        addThroughBridges(declared, meant);
      }
      List<MethodShape> inOrder = new ArrayList<>(declared);
      inOrder.removeIf(
          method -> !meant.contains(method) || meant.stream().anyMatch(method::isBridgeTo));
      return inOrder;
    }

    private void addThroughBridges(List<MethodShape> declared, Set<MethodShape> meant) {
      for (MethodShape bridge : declared) {
        for (MethodShape target : declared) {
          if (bridge.leadsTo(target)
              && (ofType.test(bridge) || ofType.test(target))
              && (pattern.matches(bridge) || pattern.matches(target))
              && (carried.test(bridge) || carried.test(target))) {
            meant.add(bridge);
            meant.add(target);
          }
        }
      }
    }
  }

  /**
   * Finds methods that {@code Type+} can't gate: a subtype has no own body for a method of Type,
   * but inherits one from a superclass that is not a subtype of Type. The rule does not match that
   * superclass, whose other subclasses are unrelated to Type; so its body is not gated, and calls
   * of the method of Type on such a subtype bypass the gate. This can only be reported.
   */
  static final class InheritedBodies {
    private static final int MAX_NAMED = 5;

    private final TypeLookup types;
    private final Predicate<ClassHeader> meant;

    /**
     * Creates a search.
     *
     * @param meant whether the rule matches a superclass itself
     */
    InheritedBodies(TypeLookup types, Predicate<ClassHeader> meant) {
      this.types = types;
      this.meant = meant;
    }

    /** Returns a message about these methods; empty if there are none. */
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

    /** A bridge is gated, but direct calls of the superclass's method behind it are not. */
    private static List<String> behindBridges(ClassShape shape, String signature) {
      List<String> behind = new ArrayList<>();
      for (MethodShape bridge : shape.methods()) {
        BridgeLink lead = bridge.lead();
        if (lead != null
            && lead.way() == BridgeLinkKind.TO_PARENT
            && bridge.signature().equals(signature)) {
          behind.add(new MethodShape(0, bridge.name(), lead.descriptor(), List.of()).signature());
        }
      }
      return behind;
    }

    private static String text(ClassShape shape, Map<String, String> inherited) {
      String some =
          inherited.keySet().stream().limit(MAX_NAMED).collect(Collectors.joining(" and "));
      return "%s inherits %s%s, which this rule does not gate: %s"
          .formatted(
              shape.name(),
              some,
              inherited.size() > MAX_NAMED ? " and others" : "",
              inherited.values().stream().allMatch(owner -> owner.startsWith("java."))
                  ? "override it in " + shape.name()
                  : "add a rule for it, or override it in " + shape.name());
    }

    /** The superclass that has the body, unless the rule matches that class itself. */
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
}
