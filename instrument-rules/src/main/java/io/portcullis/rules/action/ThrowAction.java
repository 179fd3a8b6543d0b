package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.gate.ThrowNotLeader;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.FailedFuture;
import io.portcullis.rules.action.RefusedResult.NotLeader;
import io.portcullis.rules.action.RefusedResult.Thrown;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.ApplicationExceptionTemplate;
import io.portcullis.rules.template.ConstructorTemplate;
import io.portcullis.rules.template.FutureTemplate;
import io.portcullis.rules.template.ThrowTemplate;
import io.portcullis.rules.template.WatchedFutureTemplate;
import io.portcullis.rules.template.WatchedThrowTemplate;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Throws: the gate's own exception, or one of the application's. A method declared to return a
 * {@code CompletionStage} or {@code CompletableFuture} returns a failed one instead.
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
  private final InFlightOptions vigilance;

  private ThrowAction(@Nullable String exception, boolean stackTraces, InFlightOptions vigilance) {
    this.exception = exception;
    this.stackTraces = stackTraces;
    this.vigilance = vigilance;
  }

  static ThrowAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN);
    return readFrom(options);
  }

  /** For an action that throws in the end, and has options of its own too. */
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
    return vigilance.addedTo(exception == null ? action : action + " " + exception);
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
    vigilance.refuseForConstructor();
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
    if (vigilance.isNone() && exception == null) {
      return new WeaveSpec(ThrowTemplate.class, null, vigilance);
    }
    return new WeaveSpec(
        vigilance.isNone() ? ApplicationExceptionTemplate.class : WatchedThrowTemplate.class,
        thrown(declaring, method, classFiles),
        vigilance);
  }

  private WeaveSpec byFuture(ClassShape declaring, ClassFiles classFiles)
      throws CannotGateException {
    if (exception != null) {
      return WeaveSpec.answeringByFuture(
          new FailedFuture(new ExceptionCheck(exception, classFiles).forFuture(declaring)),
          vigilance);
    }
    return new WeaveSpec(
        vigilance.isNone() ? FutureTemplate.class : WatchedFutureTemplate.class, null, vigilance);
  }

  private Thrown thrown(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    return exception == null
        ? new NotLeader()
        : new ExceptionCheck(exception, classFiles).forThrowing(declaring, method);
  }
}
