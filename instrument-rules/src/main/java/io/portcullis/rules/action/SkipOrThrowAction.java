package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;

/** Skips void methods, and throws in methods that return a result. */
final class SkipOrThrowAction implements Action {
  static final String NAME = "skip-or-throw";

  private final InFlightOptions inFlight;
  private final SkipAction skip;
  private final ThrowAction otherwise;

  private SkipOrThrowAction(InFlightOptions inFlight, ThrowAction otherwise) {
    this.inFlight = inFlight;
    this.skip = new SkipAction(inFlight);
    this.otherwise = otherwise;
  }

  static SkipOrThrowAction of(ActionOptions options) {
    options.allowOnly(NAME, InFlightOptions.KEYS);
    return new SkipOrThrowAction(InFlightOptions.of(options), ThrowAction.readFrom(options));
  }

  @Override
  public String text() {
    return inFlight.addedTo(NAME);
  }

  @Override
  public boolean mayThrow(MethodShape method) {
    return !isSkipped(method);
  }

  private static boolean isSkipped(MethodShape method) {
    return MethodKind.isVoid(method) && !MethodKind.isConstructor(method);
  }

  /** Where an exception is due, the woven method itself throws it. */
  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.SKIP;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    otherwise.checkForConstructors();
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    return isSkipped(method)
        ? skip.form(declaring, method, classFiles)
        : otherwise.form(declaring, method, classFiles);
  }
}
