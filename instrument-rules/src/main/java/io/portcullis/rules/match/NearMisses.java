package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a class has instead of the method that a pattern asks for, by its own class file alone. */
final class NearMisses {
  private static final int MAX_NAMED = 5;
  private static final int MAX_EDITS = 2;

  private final MethodPattern pattern;
  private final ClassShape shape;

  NearMisses(MethodPattern pattern, ClassShape shape) {
    this.pattern = pattern;
    this.shape = shape;
  }

  String text() {
    List<MethodShape> bodiless = pattern.select(shape.methods());
    if (!bodiless.isEmpty()) {
      return withoutBody(bodiless);
    }
    List<String> hints = new ArrayList<>();
    String overloads = named(method -> method.name().equals(pattern.name()));
    if (!overloads.isEmpty()) {
      hints.add("%s exists; the rule asks for %s".formatted(overloads, pattern));
    } else if (!pattern.hasWildcard()) {
      String similar = named(this::hasSimilarName);
      if (!similar.isEmpty()) {
        hints.add("similar: %s".formatted(similar));
      }
    }
    List<String> parents = parents();
    if (!parents.isEmpty()) {
      hints.add(
          "it may be declared in a parent, which then has to be named: "
              + String.join(", ", parents));
    }
    String start = "%s declares no %s".formatted(shape.name(), pattern);
    return hints.isEmpty() ? start : start + "; " + String.join("; ", hints);
  }

  private String withoutBody(List<MethodShape> methods) {
    List<String> hints = new ArrayList<>();
    String abstracts = list(methods.stream().filter(MethodShape::isAbstract).toList());
    if (!abstracts.isEmpty()) {
      hints.add(
          "%s is abstract in %s: name the class that implements it"
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

  private List<String> parents() {
    List<String> parents = new ArrayList<>();
    String superclass = shape.superclass();
    if (superclass != null && !superclass.startsWith("java.lang.")) {
      parents.add(superclass);
    }
    parents.addAll(shape.interfaces());
    return parents;
  }

  private String named(Predicate<MethodShape> wanted) {
    return list(
        shape.methods().stream()
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
    return Spelling.edits(wanted, actual) <= allowed;
  }
}
