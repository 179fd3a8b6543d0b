package io.portcullis.rules.action;

import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import io.portcullis.rules.classfile.ClassFiles;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.template.NoteSqlTemplate;
import java.util.Set;

/** Refuses nothing: notes of prepared statements whether they only read. */
final class NoteSqlAction implements Action {
  static final String NAME = "note-sql";

  private static final String TEXT = "java.lang.String";

  private NoteSqlAction() {}

  static NoteSqlAction of(ActionOptions options) {
    options.allowOnly(NAME, Set.of());
    return new NoteSqlAction();
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
  public void checkForConstructors() throws CannotGate {
    throw new CannotGate("%s is for methods that make a statement of a text".formatted(NAME));
  }

  @Override
  public GateForm form(ClassShape declaring, MethodShape method, ClassFiles classFiles)
      throws CannotGate {
    if (MethodKind.isVoid(method)
        || method.parameterTypes().isEmpty()
        || !method.parameterTypes().get(0).equals(TEXT)) {
      checkForConstructors();
    }
    return new GateForm(NoteSqlTemplate.class, null, Vigilance.NONE);
  }
}
