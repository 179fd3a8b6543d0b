package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;

/** Skips void methods, and throws where a result is owed. */
final class SkipOrThrowAction implements Action {
  static final String NAME = "skip-or-throw";

  private final Vigilance vigilance;
  private final SkipAction skip;
  private final ThrowAction otherwise;

  private SkipOrThrowAction(Vigilance vigilance, ThrowAction otherwise) {
    this.vigilance = vigilance;
    this.skip = new SkipAction(vigilance);
    this.otherwise = otherwise;
  }

  static SkipOrThrowAction of(ActionOptions options) {
    options.allowOnly(NAME, Vigilance.KEYS);
    return new SkipOrThrowAction(Vigilance.of(options), ThrowAction.readFrom(options));
  }

  @Override
  public String text() {
    return vigilance.addedTo(NAME);
  }

  /** The woven method throws by itself where it has to. */
  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.SKIP;
  }

  @Override
  public void checkForConstructors() throws CannotGate {
    otherwise.checkForConstructors();
  }

  @Override
  public GateForm form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGate {
    return MethodKind.isVoid(method) && !MethodKind.isConstructor(method)
        ? skip.form(declaring, method, classFiles)
        : otherwise.form(declaring, method, classFiles);
  }
}
