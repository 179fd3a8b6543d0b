package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.UnlessReadTemplate;
import java.util.Set;

/** Throws as {@link ThrowAction} does, where a statement is executed that does not only read. */
final class UnlessReadAction implements Action {
  static final String NAME = "throw-unless-read";

  private final ThrowAction otherwise;

  private UnlessReadAction(ThrowAction otherwise) {
    this.otherwise = otherwise;
  }

  static UnlessReadAction of(ActionOptions options) {
    options.allowOnly(NAME, Set.of());
    return new UnlessReadAction(ThrowAction.readFrom(options));
  }

  @Override
  public String text() {
    return NAME;
  }

  @Override
  public Refusal refusal() {
    return otherwise.refusal();
  }

  @Override
  public void checkForConstructors() throws CannotGate {
    throw new CannotGate("%s is for methods of a statement".formatted(NAME));
  }

  @Override
  public GateForm form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGate {
    if (method.isStatic() || MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    return new GateForm(UnlessReadTemplate.class, null, Vigilance.NONE);
  }
}
