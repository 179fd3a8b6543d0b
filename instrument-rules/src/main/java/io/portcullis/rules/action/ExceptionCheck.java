package io.portcullis.rules.action;

import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.OwnException;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a woven method can throw an exception of the application's, by what the class files say.
 * The parents are read up to the first that every JVM has.
 */
final class ExceptionCheck {
  private static final int MAX_PARENTS = 64;
  private static final Set<String> UNCHECKED =
      Set.of("java.lang.RuntimeException", "java.lang.Error");
  private static final String THROWABLE = "java.lang.Throwable";
  private static final Set<String> KNOWN =
      Set.of(THROWABLE, "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error");

  private final String exception;
  private final ClassFiles classFiles;

  ExceptionCheck(String exception, ClassFiles classFiles) {
    this.exception = exception;
    this.classFiles = classFiles;
  }

  OwnException forFuture(ClassShape declaring) throws CannotGateException {
    ClassShape shape = read(exception);
    lineage(shape);
    return constructible(shape, declaring);
  }

  OwnException forThrowing(ClassShape declaring, MethodShape method) throws CannotGateException {
    ClassShape shape = read(exception);
    List<String> lineage = lineage(shape);
    boolean allowed =
        lineage.stream()
            .anyMatch(type -> UNCHECKED.contains(type) || method.exceptions().contains(type));
    if (!allowed) {
      throw new CannotGateException(
          "exception %s is checked, and %s#%s does not declare it. Name an unchecked exception%s."
              .formatted(
                  exception,
                  declaring.name(),
                  method.signature(),
                  method.exceptions().isEmpty()
                      ? ""
                      : " or one of " + String.join(", ", method.exceptions())));
    }
    return constructible(shape, declaring);
  }

  /** The exception and its parents, which must end in Throwable. */
  private List<String> lineage(ClassShape shape) throws CannotGateException {
    List<String> lineage = new ArrayList<>();
    lineage.add(shape.name());
    String parent = shape.superclass();
    while (parent != null && lineage.size() < MAX_PARENTS) {
      lineage.add(parent);
      if (KNOWN.contains(parent)) {
        return lineage;
      }
      parent = read(parent).superclass();
    }
    if (exception.equals(THROWABLE)) {
      return lineage;
    }
    throw new CannotGateException(
        "%s is not a Throwable. Name an exception class.".formatted(exception));
  }

  private OwnException constructible(ClassShape shape, ClassShape declaring)
      throws CannotGateException {
    if (shape.isAbstract()) {
      throw new CannotGateException(
          "exception %s is abstract. Name a concrete class.".formatted(exception));
    }
    if (!shape.isPublic() && !packageOf(shape.name()).equals(packageOf(declaring.name()))) {
      throw new CannotGateException(
          "exception %s is not public, so %s can't use it. Make it public, or name another."
              .formatted(exception, declaring.name()));
    }
    String internalName = exception.replace('.', '/');
    if (hasPublicConstructor(shape, "(Ljava/lang/String;)V")) {
      return new OwnException(internalName, true);
    }
    if (hasPublicConstructor(shape, "()V")) {
      return new OwnException(internalName, false);
    }
    throw new CannotGateException(
        "exception %s has neither a public constructor that takes a String nor one without"
                .formatted(exception)
            + " parameters. Add one, or name another exception.");
  }

  private static boolean hasPublicConstructor(ClassShape shape, String descriptor) {
    return shape.methods().stream()
        .anyMatch(
            method ->
                method.name().equals("<init>")
                    && method.descriptor().equals(descriptor)
                    && Modifier.isPublic(method.access()));
  }

  private ClassShape read(String name) throws CannotGateException {
    @Nullable ClassShape shape;
    try {
      shape = classFiles.read(name);
    } catch (IOException e) {
      throw new CannotGateException("the class file of %s can't be read: %s.".formatted(name, e));
    }
    if (shape == null) {
      throw new CannotGateException(
          "the class file of %s is not to be found by the loader of the gated class."
                  .formatted(name)
              + " Check the name, or add the class to that application's class path.");
    }
    return shape;
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }
}
