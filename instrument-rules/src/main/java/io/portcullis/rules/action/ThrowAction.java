package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.ThrowNotLeader;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.FailedFuture;
import io.portcullis.rules.action.RefusedResult.NotLeader;
import io.portcullis.rules.action.RefusedResult.OwnException;
import io.portcullis.rules.action.RefusedResult.Thrown;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.FutureTemplate;
import io.portcullis.rules.template.FutureTemplate.WatchedFutureTemplate;
import io.portcullis.rules.template.ThrowTemplate;
import io.portcullis.rules.template.ThrowTemplate.ApplicationExceptionTemplate;
import io.portcullis.rules.template.ThrowTemplate.ConstructorTemplate;
import io.portcullis.rules.template.ThrowTemplate.WatchedThrowTemplate;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Throws the gate's own exception or one of the application. A method declared to return a {@code
 * CompletionStage} or {@code CompletableFuture} returns a failed one instead.
 */
final class ThrowAction implements Action {
  static final String NAME = "throw";

  private static final String EXCEPTION = "exception";
  private static final String NOT_LEADER = "io.portcullis.gate.NotLeaderException";
  private static final Set<String> KNOWN = Set.of(EXCEPTION, "recheck", "interrupt");

  private static final Pattern BINARY_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

  private final @Nullable String exception;
  private final boolean stackTraces;
  private final InFlightOptions inFlight;

  private ThrowAction(@Nullable String exception, boolean stackTraces, InFlightOptions inFlight) {
    this.exception = exception;
    this.stackTraces = stackTraces;
    this.inFlight = inFlight;
  }

  static ThrowAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN);
    return readFrom(options);
  }

  /** For another action that may throw and has further options: does not check their names. */
  static ThrowAction readFrom(ActionOptions options) {
    String exception = options.string(EXCEPTION);
    if (exception != null && !BINARY_NAME.matcher(exception).matches()) {
      options.refuse(
          EXCEPTION,
          "'%s' is not the binary name of a class".formatted(exception),
          "Write com.acme.StandbyException, nested classes with $");
    }
    boolean own = exception != null && !exception.equals(NOT_LEADER);
    return new ThrowAction(
        own ? exception : null, options.stackTraces(), InFlightOptions.of(options));
  }

  @Override
  public boolean mayThrow(MethodShape method) {
    return true;
  }

  @Override
  public String text() {
    return textAs(NAME);
  }

  String textAs(String action) {
    return inFlight.addedTo(exception == null ? action : action + " " + exception);
  }

  /** The application's own exception is thrown by the woven method, which can resolve its class. */
  @Override
  public Refusal refusal() {
    if (exception != null) {
      return (checkpoint, sinceNanos) -> Verdict.SKIP;
    }
    return stackTraces ? ThrowNotLeader.WITH_STACK_TRACE : ThrowNotLeader.WITHOUT_STACK_TRACE;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    inFlight.refuseForConstructor();
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isConstructor(method)) {
      checkForConstructors();
      return new WeaveSpec(
          ConstructorTemplate.class, thrown(declaring, method, classFiles), InFlightOptions.NONE);
    }
    if (MethodKind.answersByFuture(method)) {
      return byFuture(declaring, classFiles);
    }
    if (inFlight.isNone() && exception == null) {
      return new WeaveSpec(ThrowTemplate.class, null, inFlight);
    }
    return new WeaveSpec(
        inFlight.isNone() ? ApplicationExceptionTemplate.class : WatchedThrowTemplate.class,
        thrown(declaring, method, classFiles),
        inFlight);
  }

  private WeaveSpec byFuture(ClassShape declaring, ClassFiles classFiles)
      throws CannotGateException {
    if (exception != null) {
      return WeaveSpec.answeringByFuture(
          new FailedFuture(new ExceptionCheck(exception, classFiles).forFuture(declaring)),
          inFlight);
    }
    return new WeaveSpec(
        inFlight.isNone() ? FutureTemplate.class : WatchedFutureTemplate.class, null, inFlight);
  }

  private Thrown thrown(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    return exception == null
        ? new NotLeader()
        : new ExceptionCheck(exception, classFiles).forThrowing(declaring, method);
  }

  /**
   * Checks from class files whether a woven method can throw an exception class of the application.
   * Superclasses are read up to the first one that every JVM has.
   */
  static final class ExceptionCheck {
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

    /** The exception and its superclasses, which must end in Throwable. */
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
            "the class file of %s can't be found by the loader of the gated class.".formatted(name)
                + " Check the name, or add the class to that application's class path.");
      }
      return shape;
    }

    private static String packageOf(String name) {
      return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
  }
}
