package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.OfflineClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Recognizes the application's own packages where the layout of its files does not show them. */
public final class OwnPackages {
  /**
   * From this number of package roots on, a jar probably contains libraries: an application's own
   * classes have fewer roots.
   */
  private static final int MIN_ROOTS_WITH_LIBRARIES = 5;

  /** Roots that many projects share, so that a third part of the name is needed. */
  private static final Set<String> SHARED_ROOTS =
      Set.of("org.apache", "org.eclipse", "org.springframework", "com.github", "io.github");

  private OwnPackages() {}

  /**
   * If libraries are mixed with the application's own classes, as in a shaded jar: the pattern for
   * the classes in the package of its main class.
   */
  public static Optional<String> ofMainClass(ClassPath classPath) {
    long roots =
        classPath.classes().stream()
            .filter(OfflineClass::own)
            .map(type -> root(type.name()))
            .distinct()
            .count();
    String main = classPath.application().mainClass();
    return roots >= MIN_ROOTS_WITH_LIBRARIES && main.indexOf('.') > 0
        ? Optional.of(root(main) + ".**")
        : Optional.empty();
  }

  /** The packages with the most classes, as patterns with their sizes. */
  public static List<String> largest(ClassPath classPath, int limit) {
    Map<String, Long> sizes =
        classPath.classes().stream()
            .collect(
                Collectors.groupingBy(
                    type -> root(type.name()), LinkedHashMap::new, Collectors.counting()));
    return sizes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(limit)
        .map(entry -> entry.getKey() + ".** (" + entry.getValue() + " classes)")
        .toList();
  }

  /** The first two parts of a package name, or three below a shared root. */
  private static String root(String className) {
    String[] parts = className.split("\\.", -1);
    int packages = parts.length - 1;
    if (packages <= 1) {
      return parts[0];
    }
    String root = parts[0] + "." + parts[1];
    return SHARED_ROOTS.contains(root) && packages > 2 ? root + "." + parts[2] : root;
  }
}
