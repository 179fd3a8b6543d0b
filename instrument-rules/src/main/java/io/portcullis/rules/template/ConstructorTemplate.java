package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.OnMethodEnter;

/**
 * Woven into a constructor, before it calls another: a refused call has no effect at all. Its end
 * can't be detected, because the JVM does not allow catching what the other constructor throws.
 */
public final class ConstructorTemplate {
  private ConstructorTemplate() {}

  @OnMethodEnter
  static void enter(@Slot int slot, @RefusedCall Throwable refused) throws Throwable {
    if (Gate.check(slot)) {
      throw refused;
    }
  }
}
