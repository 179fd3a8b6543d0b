package io.portcullis.rules;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.gate.ThrowNotLeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
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
  private static final Set<String> KNOWN = Set.of(EXCEPTION);
  private static final Set<String> NOT_YET = Set.of("recheck", "interrupt");
  private static final Set<String> FUTURES =
      Set.of("java.util.concurrent.CompletionStage", "java.util.concurrent.CompletableFuture");

  private static final Pattern BINARY_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

  private final @Nullable String exception;
  private final boolean stackTraces;

  private ThrowAction(@Nullable String exception, boolean stackTraces) {
    this.exception = exception;
    this.stackTraces = stackTraces;
  }

  static ThrowAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN, NOT_YET);
    String exception = options.string(EXCEPTION);
    if (exception != null && !BINARY_NAME.matcher(exception).matches()) {
      options.refuse(
          EXCEPTION,
          "'%s' is not the binary name of a class".formatted(exception),
          "Write com.acme.StandbyException, nested classes with $");
    }
    boolean own = exception != null && !exception.equals(NOT_LEADER);
    return new ThrowAction(own ? exception : null, options.stackTraces());
  }

  @Override
  public String text() {
    return exception == null ? NAME : NAME + " " + exception;
  }

  /** The application's own exception is thrown by the woven method, which can resolve its class. */
  @Override
  public Refusal refusal() {
    if (exception != null) {
      return checkpoint -> Verdict.SKIP;
    }
    return stackTraces ? ThrowNotLeader.WITH_STACK_TRACE : ThrowNotLeader.WITHOUT_STACK_TRACE;
  }

  @Override
  public GateForm form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGate {
    if (method.isConstructor()) {
      throw new CannotGate("not yet: constructors can't be gated by this version");
    }
    boolean future = FUTURES.contains(method.returnType());
    if (exception == null) {
      return new GateForm(future ? FutureTemplate.class : ThrowTemplate.class, null);
    }
    ExceptionCheck check = new ExceptionCheck(exception, classFiles);
    return future
        ? new GateForm(OwnFutureTemplate.class, check.forFuture(declaring))
        : new GateForm(OwnThrowTemplate.class, check.forThrowing(declaring, method));
  }
}
