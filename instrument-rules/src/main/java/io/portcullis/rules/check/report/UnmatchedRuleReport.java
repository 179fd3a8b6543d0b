package io.portcullis.rules.check.report;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.EditDistance;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.TypePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Explains why a rule gates nothing on a class path and how its pattern could be corrected. */
final class UnmatchedRuleReport {
  private static final int MAX_NAMED = 5;
  private static final int MAX_CLASSES = 3;
  private static final int MAX_EDITS = 2;

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;
  private final MatchPattern match;

  UnmatchedRuleReport(ClassPath classPath, ClassPathHierarchy hierarchy, MatchPattern match) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.match = match;
  }

  /**
   * A class that the pattern matches without gating any of its methods.
   *
   * @param hint the methods that the class has instead
   */
  record NearMiss(OfflineClass type, String hint) {}

  String text(List<NearMiss> nearMisses) {
    if (nearMisses.isEmpty()) {
      return noClass();
    }
    String reasons =
        nearMisses.stream()
            .limit(MAX_CLASSES)
            .map(miss -> miss.hint() + inherited(miss.type().shape()))
            .collect(Collectors.joining(". "));
    return nearMisses.size() > MAX_CLASSES
        ? "%d classes match and none has such a method with a body. %s"
            .formatted(nearMisses.size(), reasons)
        : reasons;
  }

  private String noClass() {
    if (match.type() instanceof TypePattern.Exact type) {
      if (classPath.read(type.binaryName()) == null) {
        return "there is no class " + type.binaryName() + similar(type.binaryName());
      }
      if (match.annotation() == null) {
        return "no class on this class path is a subtype of " + type.binaryName();
      }
    }
    String annotation = match.annotation();
    if (annotation == null) {
      return "no class name matches";
    }
    return "no matching class or method is annotated with @"
        + annotation
        + (classPath.read(annotation) == null
            ? ", and there is no such annotation" + similar(annotation)
            : "");
  }

  /** Finds a supertype that has the body; the pattern does not match it by its class name. */
  private String inherited(ClassShape shape) {
    String method = match.toString().substring(match.toString().indexOf('#'));
    for (String parent : hierarchy.withSupertypes(shape.name())) {
      OfflineClass supertype = parent.equals(shape.name()) ? null : classPath.find(parent);
      if (supertype != null
          && !MatchPattern.parse(parent + method)
              .meaning(supertype.shape(), classPath)
              .withBody()
              .isEmpty()) {
        return "; it inherits the body from " + parent + ": match that class instead";
      }
    }
    return "";
  }

  private String similar(String wanted) {
    List<String> similar = new ArrayList<>();
    String plain = plain(wanted);
    for (OfflineClass type : classPath.classes()) {
      String name = type.name();
      if (plain(name).equals(plain)) {
        return "; write " + name + " (nested classes use $, names are case-sensitive)";
      }
      if (simple(name).equals(simple(wanted)) || isNear(wanted, name)) {
        similar.add(name);
      }
    }
    if (similar.isEmpty()) {
      return "";
    }
    return "; similar: "
        + similar.stream().sorted().limit(MAX_NAMED).collect(Collectors.joining(", "))
        + (similar.size() > MAX_NAMED ? ", …" : "");
  }

  private static boolean isNear(String wanted, String name) {
    return Math.abs(wanted.length() - name.length()) <= MAX_EDITS
        && EditDistance.edits(wanted, name) <= MAX_EDITS;
  }

  private static String plain(String name) {
    return name.replace('$', '.').toLowerCase(Locale.ROOT);
  }

  private static String simple(String name) {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }
}
