package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.RefusedResult.Constant;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;

/** Returns without running the body. For void methods only: others must return a value. */
final class SkipAction implements Action {
  static final String NAME = "skip";

  private final InFlightOptions inFlight;

  SkipAction(InFlightOptions inFlight) {
    this.inFlight = inFlight;
  }

  static SkipAction of(ActionOptions options) {
    options.allowOnly(NAME, InFlightOptions.KEYS);
    return new SkipAction(InFlightOptions.of(options));
  }

  @Override
  public String text() {
    return inFlight.addedTo(NAME);
  }

  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.SKIP;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException(
        "a constructor can't be skipped, since its caller gets an object. Use throw or wait.");
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    if (!MethodKind.isVoid(method)) {
      throw new CannotGateException(
          "only void methods can be skipped, and %s#%s returns %s. Use return with a value or empty"
                  .formatted(declaring.name(), method.signature(), method.returnType())
              + " = true, or throw.");
    }
    return WeaveSpec.answering(new Constant(null), inFlight);
  }
}
