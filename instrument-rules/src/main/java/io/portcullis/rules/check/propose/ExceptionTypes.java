package io.portcullis.rules.check.propose;

import io.portcullis.rules.check.classpath.ClassPath;
import io.portcullis.rules.check.classpath.ClassPathHierarchy;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;

/** Decides which exceptions a rule could name for its refused calls. */
final class ExceptionTypes {
  private static final Set<String> UNCHECKED =
      Set.of("java.lang.RuntimeException", "java.lang.Error");

  /** Too general to say anything to a caller. */
  private static final Set<String> GENERAL =
      Set.of(
          "java.lang.Exception",
          "java.lang.Throwable",
          "java.lang.RuntimeException",
          "java.lang.InterruptedException");

  private final ClassPath classPath;
  private final ClassPathHierarchy hierarchy;

  ExceptionTypes(ClassPath classPath, ClassPathHierarchy hierarchy) {
    this.classPath = classPath;
    this.hierarchy = hierarchy;
  }

  /** The checked exceptions of a method that a rule for it could name. */
  List<String> declared(MethodShape method) {
    return method.exceptions().stream()
        .filter(name -> !isUnchecked(name) && canBeCreated(name))
        .toList();
  }

  /** Whether any rule could name the exception. */
  boolean canBeThrownAnywhere(String name) {
    return isUnchecked(name) && canBeCreated(name);
  }

  private boolean isUnchecked(String name) {
    return hierarchy.withSupertypes(name).stream().anyMatch(UNCHECKED::contains);
  }

  private boolean canBeCreated(String name) {
    ClassShape shape = classPath.read(name);
    return shape != null
        && !GENERAL.contains(name)
        && shape.isPublic()
        && !shape.isAbstract()
        && shape.methods().stream()
            .anyMatch(
                method ->
                    method.isConstructor()
                        && Modifier.isPublic(method.access())
                        && (method.descriptor().equals("(Ljava/lang/String;)V")
                            || method.descriptor().equals("()V")));
  }
}
