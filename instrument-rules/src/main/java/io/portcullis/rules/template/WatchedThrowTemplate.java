package io.portcullis.rules.template;

import io.portcullis.gate.AdmittedCall;
import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/**
 * As {@link ThrowTemplate} and {@link ApplicationExceptionTemplate}, for a rule that rechecks or
 * interrupts.
 */
public final class WatchedThrowTemplate {
  private WatchedThrowTemplate() {}

  @OnMethodEnter
  static AdmittedCall enter(
      @Slot int slot, @Interrupt boolean interrupt, @RefusedCall Throwable refused)
      throws Throwable {
    AdmittedCall passage = Gate.pass(slot, interrupt);
    if (passage == null) {
      throw refused;
    }
    return passage;
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(
      @Enter AdmittedCall passage, @Recheck boolean recheck, @Thrown @Nullable Throwable thrown) {
    Gate.leave(passage, thrown, recheck);
  }
}
