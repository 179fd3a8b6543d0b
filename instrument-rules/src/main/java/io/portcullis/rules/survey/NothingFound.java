package io.portcullis.rules.survey;

import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.Spelling;
import io.portcullis.rules.match.TypePattern;
import io.portcullis.rules.offline.ClassPath;
import io.portcullis.rules.offline.Hierarchy;
import io.portcullis.rules.offline.OfflineClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Why a rule gates nothing on a class path, in words that help to mend its pattern. */
final class NothingFound {
  private static final int MOST_NAMED = 5;
  private static final int MOST_CLASSES = 3;
  private static final int MOST_EDITS = 2;

  private final ClassPath classPath;
  private final Hierarchy hierarchy;
  private final MatchPattern match;

  NothingFound(ClassPath classPath, Hierarchy hierarchy, MatchPattern match) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
    this.match = match;
  }

  /**
   * The reason.
   *
   * @param inVain the classes that the pattern does mean
   */
  String text(List<OfflineClass> inVain) {
    if (inVain.isEmpty()) {
      return match.type() instanceof TypePattern.Exact type
          ? "there is no class " + type.binaryName() + similar(type.binaryName())
          : "no class has a name that fits";
    }
    String reasons =
        inVain.stream()
            .limit(MOST_CLASSES)
            .map(type -> match.nearMisses(type.shape()) + inherited(type.shape()))
            .collect(Collectors.joining(". "));
    int others = inVain.size() - MOST_CLASSES;
    return others > 0
        ? "%d classes fit and none has such a method with a body. %s"
            .formatted(inVain.size(), reasons)
        : reasons;
  }

  private String inherited(ClassShape shape) {
    for (String parent : hierarchy.withSupertypes(shape.name())) {
      ClassShape declaring = parent.equals(shape.name()) ? null : classPath.read(parent);
      if (declaring != null && match.select(declaring).stream().anyMatch(MethodShape::hasBody)) {
        return "; it inherits the body from " + parent + ": name that instead";
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
        return "; nested classes are parted by $, upper and lower case differ: write " + name;
      }
      if (simple(name).equals(simple(wanted)) || isNear(wanted, name)) {
        similar.add(name);
      }
    }
    if (similar.isEmpty()) {
      return "";
    }
    return "; similar: "
        + similar.stream().sorted().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (similar.size() > MOST_NAMED ? ", …" : "");
  }

  private static boolean isNear(String wanted, String name) {
    return Math.abs(wanted.length() - name.length()) <= MOST_EDITS
        && Spelling.edits(wanted, name) <= MOST_EDITS;
  }

  private static String plain(String name) {
    return name.replace('$', '.').toLowerCase(Locale.ROOT);
  }

  private static String simple(String name) {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }
}
