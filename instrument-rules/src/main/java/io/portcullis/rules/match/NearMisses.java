package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds hints that name the methods a class has instead of the one that a pattern names. */
final class NearMisses {
  private static final int MAX_NAMED = 5;
  private static final int MAX_EDITS = 2;

  private final MatchPattern match;
  private final MethodPattern pattern;
  private final ClassShape shape;
  private final @Nullable TypeMethods ofType;

  /**
   * Creates hints for one class.
   *
   * @param ofType the methods of the named types, if the class is only a subtype of them
   */
  NearMisses(MatchPattern match, ClassShape shape, @Nullable TypeMethods ofType) {
    this.match = match;
    this.pattern = match.method();
    this.shape = shape;
    this.ofType = ofType;
  }

  /**
   * Returns the hint.
   *
   * @param meant the matching methods; the hint names those that can't be gated
   */
  String text(List<MethodShape> meant) {
    if (!meant.isEmpty()) {
      return withoutBody(meant);
    }
    if (ofType != null && ofType.haveNone(pattern) && !ofType.named().isEmpty()) {
      return ofType.named().stream()
          .limit(MAX_NAMED)
          .map(type -> missing(type, "neither declares nor inherits " + pattern))
          .collect(Collectors.joining("; "));
    }
    return missing(shape, "declares no " + pattern + carried());
  }

  private String carried() {
    return match.annotation() == null ? "" : " that matches @%s".formatted(match.annotation());
  }

  private String missing(ClassShape type, String what) {
    List<String> hints = new ArrayList<>();
    String overloads = named(type, method -> method.name().equals(pattern.name()));
    if (pattern.meansConstructors()) {
      overloads = list(type.methods().stream().filter(MethodShape::isConstructor).toList());
    }
    if (!overloads.isEmpty()) {
      hints.add("%s exists; the rule specifies %s".formatted(overloads, pattern));
    } else if (!pattern.hasWildcard()) {
      String similar = named(type, this::hasSimilarName);
      if (!similar.isEmpty()) {
        hints.add("similar: %s".formatted(similar));
      }
    }
    List<String> parents = parents(type);
    if (!parents.isEmpty() && !match.subtypes()) {
      hints.add(
          "it may be declared in a parent, which then has to be named: "
              + String.join(", ", parents));
    }
    String start = type.name() + " " + what;
    return hints.isEmpty() ? start : start + "; " + String.join("; ", hints);
  }

  private String withoutBody(List<MethodShape> methods) {
    List<String> hints = new ArrayList<>();
    String abstracts = list(methods.stream().filter(MethodShape::isAbstract).toList());
    if (!abstracts.isEmpty()) {
      hints.add(
          (match.subtypes()
                  ? "%s is abstract in %s: it is gated where a subtype implements it"
                  : "%s is abstract in %s: name the class that implements it")
              .formatted(abstracts, shape.name()));
    }
    String natives = list(methods.stream().filter(MethodShape::isNative).toList());
    if (!natives.isEmpty()) {
      hints.add(
          "%s is native in %s and can't be gated: name the method that calls it"
              .formatted(natives, shape.name()));
    }
    return String.join("; ", hints);
  }

  private static List<String> parents(ClassShape shape) {
    List<String> parents = new ArrayList<>();
    String superclass = shape.superclass();
    if (superclass != null && !superclass.startsWith("java.lang.")) {
      parents.add(superclass);
    }
    parents.addAll(shape.interfaces());
    return parents;
  }

  private static String named(ClassShape type, Predicate<MethodShape> wanted) {
    return list(
        type.methods().stream()
            .filter(method -> !method.isInitialiser() && !method.isSynthetic())
            .filter(wanted)
            .toList());
  }

  private static String list(List<MethodShape> methods) {
    String some =
        methods.stream()
            .limit(MAX_NAMED)
            .map(MethodShape::signature)
            .collect(Collectors.joining(", "));
    return methods.size() > MAX_NAMED ? some + ", …" : some;
  }

  private boolean hasSimilarName(MethodShape method) {
    String wanted = pattern.name().toLowerCase(Locale.ROOT);
    String actual = method.name().toLowerCase(Locale.ROOT);
    int allowed = Math.min(MAX_EDITS, wanted.length() / 2);
    return EditDistance.edits(wanted, actual) <= allowed;
  }
}
