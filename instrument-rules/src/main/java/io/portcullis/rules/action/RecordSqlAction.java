package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec.InFlightOptions;
import io.portcullis.rules.action.WeaveSpec.MethodKind;
import io.portcullis.rules.classfile.ClassShapeReader.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.UnlessReadTemplate.RecordSqlTemplate;
import java.util.Set;

/** Records which prepared statements only read. It refuses no calls. */
final class RecordSqlAction implements Action {
  static final String NAME = "note-sql";

  private static final String TEXT = "java.lang.String";

  private RecordSqlAction() {}

  static RecordSqlAction of(ActionOptions options) {
    options.allowOnly(NAME, Set.of());
    return new RecordSqlAction();
  }

  @Override
  public String text() {
    return NAME;
  }

  @Override
  public boolean gates() {
    return false;
  }

  @Override
  public Refusal refusal() {
    return (checkpoint, sinceNanos) -> Verdict.RUN;
  }

  @Override
  public void checkForConstructors() throws CannotGateException {
    throw new CannotGateException(
        "%s is for methods that prepare a statement from SQL".formatted(NAME));
  }

  @Override
  public WeaveSpec form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGateException {
    if (MethodKind.isVoid(method)
        || method.parameterTypes().isEmpty()
        || !method.parameterTypes().get(0).equals(TEXT)) {
      checkForConstructors();
    }
    return new WeaveSpec(RecordSqlTemplate.class, null, InFlightOptions.NONE);
  }
}
