package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;

/** Woven into a method whose refused calls throw an exception class of the application. */
public final class ApplicationExceptionTemplate {
  private ApplicationExceptionTemplate() {}

  @OnMethodEnter
  static void enter(@Slot int slot, @RefusedCall Throwable refused) throws Throwable {
    if (Gate.enter(slot)) {
      throw refused;
    }
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(@Slot int slot) {
    Gate.exit(slot);
  }
}
