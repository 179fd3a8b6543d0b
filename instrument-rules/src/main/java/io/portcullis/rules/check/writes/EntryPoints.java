package io.portcullis.rules.check.writes;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.check.classpath.OfflineClass;
import io.portcullis.rules.check.writes.ReachabilityAnalysis.OwnMethod;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which application methods may be called by the JVM, libraries or frameworks. */
final class EntryPoints {
  /**
   * Annotations that never cause a method to be called. Any other annotation may mean that a
   * framework calls the method.
   */
  private static final List<String> PASSIVE =
      List.of(
          "java.lang.",
          "org.jspecify.",
          "org.jetbrains.annotations.",
          "org.springframework.lang.",
          "org.springframework.transaction.annotation.",
          "jakarta.transaction.Transactional",
          "javax.transaction.Transactional",
          "jakarta.annotation.Nullable",
          "jakarta.annotation.Nonnull",
          "javax.annotation.Nullable",
          "javax.annotation.Nonnull",
          "javax.annotation.CheckForNull");

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;

  EntryPoints(ClassPath classPath, ClassPathHierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
  }

  boolean include(OwnMethod method) {
    MethodShape shape = method.shape();
    return shape.name().equals("<clinit>")
        || shape.signature().equals("main(java.lang.String[])")
        || shape.annotations().stream().anyMatch(EntryPoints::mayCauseCalls)
        || implementsLibraryMethod(method);
  }

  private static boolean mayCauseCalls(String annotation) {
    return PASSIVE.stream().noneMatch(annotation::startsWith);
  }

  /**
   * Whether the method overrides or implements a method of a library type. If a supertype can't be
   * read, every non-private instance method counts.
   */
  boolean implementsLibraryMethod(OwnMethod method) {
    MethodShape shape = method.shape();
    if (shape.name().startsWith("<")
        || (shape.access() & (Modifier.PRIVATE | Modifier.STATIC)) != 0) {
      return false;
    }
    return hierarchy.withSupertypes(method.type().name()).stream()
        .filter(parent -> !isOwn(parent))
        .anyMatch(parent -> mayDeclare(classPath.read(parent), shape));
  }

  private boolean isOwn(String type) {
    OfflineClass found = classPath.find(type);
    return found != null && found.own();
  }

  private static boolean mayDeclare(@Nullable ClassShape parent, MethodShape method) {
    return parent == null
        || parent.methods().stream()
            .anyMatch(
                other ->
                    other.name().equals(method.name())
                        && other.descriptor().equals(method.descriptor()));
  }
}
