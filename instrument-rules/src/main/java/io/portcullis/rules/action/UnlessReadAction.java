package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.UnlessReadTemplate;
import java.util.Set;

/** Throws like {@link ThrowAction}, unless the executed SQL statement only reads. */
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
  public boolean mayThrow(MethodShape method) {
    return otherwise.mayThrow(method);
  }

  @Override
  public Refusal refusal() {
    return otherwise.refusal();
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException("%s is for methods of a JDBC statement".formatted(NAME));
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (method.isStatic() || MethodKind.isConstructor(method)) {
      checkForConstructors();
    }
    return new WeaveSpec(UnlessReadTemplate.class, null, InFlightOptions.NONE);
  }
}
