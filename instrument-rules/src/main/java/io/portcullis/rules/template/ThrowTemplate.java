package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;

/**
 * Woven into a method whose refused calls throw. {@link Gate#enter} usually throws itself; the
 * woven throw covers a wrapped refusal that does not.
 */
public final class ThrowTemplate {
  private ThrowTemplate() {}

  @OnMethodEnter
  static void enter(@Slot int slot) {
    if (Gate.enter(slot)) {
      throw Gate.notLeader(slot);
    }
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(@Slot int slot) {
    Gate.exit(slot);
  }
}
