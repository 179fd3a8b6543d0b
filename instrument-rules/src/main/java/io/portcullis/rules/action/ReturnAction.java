package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.RefusedResult.Constant;
import io.portcullis.rules.action.RefusedResult.DoneFuture;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Returns a fixed value, or what is empty of the method's type. A method declared to return a
 * {@code CompletionStage} or {@code CompletableFuture} returns one that has succeeded with it.
 */
final class ReturnAction implements Action {
  static final String NAME = "return";

  private static final String VALUE = "value";
  private static final String EMPTY = "empty";
  private static final Set<String> KNOWN = Set.of(VALUE, EMPTY, "recheck", "interrupt");

  private final boolean empty;
  private final @Nullable Object value;
  private final InFlightOptions vigilance;

  private ReturnAction(boolean empty, @Nullable Object value, InFlightOptions vigilance) {
    this.empty = empty;
    this.value = value;
    this.vigilance = vigilance;
  }

  static ReturnAction of(ActionOptions options) {
    options.allowOnly(NAME, KNOWN);
    boolean empty = options.flag(EMPTY);
    if (empty && options.isSet(VALUE)) {
      options.refuse(EMPTY, "value is set too", "Leave one of them out");
    } else if (!empty && !options.isSet(VALUE)) {
      options.refuse("action", "it is not said what to return", "Write value = …, or empty = true");
    }
    return new ReturnAction(empty, options.value(VALUE), InFlightOptions.of(options));
  }

  @Override
  public String text() {
    return vigilance.addedTo(NAME + " " + (empty ? EMPTY : shown()));
  }

  private String shown() {
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }

  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.SKIP;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException("a constructor returns nothing. Use throw or wait.");
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    if (MethodKind.isVoid(method)) {
      throw new CannotGateException(
          "%s#%s is void and returns nothing. Use skip."
              .formatted(declaring.name(), method.signature()));
    }
    if (MethodKind.answersByFuture(method)) {
      return WeaveSpec.answeringByFuture(
          new DoneFuture(constant(declaring, method, "java.lang.Object")), vigilance);
    }
    return WeaveSpec.answering(
        empty ? emptyOf(declaring, method) : constant(declaring, method, method.returnType()),
        vigilance);
  }

  /** What is in a future is not known by its declared type, so it can't be said to be empty. */
  private Constant constant(ClassShape declaring, MethodShape method, String type)
      throws CannotGateException {
    Constant fitting = empty ? null : ReturnValueCheck.of(value, type);
    if (fitting == null) {
      throw misfit(empty ? "an empty value" : shown(), declaring, method);
    }
    return fitting;
  }

  private static RefusedResult emptyOf(ClassShape declaring, MethodShape method)
      throws CannotGateException {
    RefusedResult fitting = EmptyValue.of(method);
    if (fitting == null) {
      throw misfit("an empty value", declaring, method);
    }
    return fitting;
  }

  private static CannotGateException misfit(String what, ClassShape declaring, MethodShape method) {
    return new CannotGateException(
        "%s can't be returned by %s#%s, which returns %s. Name what fits without loss (null only for"
                .formatted(what, declaring.name(), method.signature(), method.returnType())
            + " objects, numbers only for numbers; empty for Optional, List, Set, Map, Collection,"
            + " Iterable, Iterator, Stream and arrays), or use throw.");
  }
}
