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
 * Variant of {@link ThrowTemplate} and {@link ApplicationExceptionTemplate} for a rule that
 * rechecks or interrupts.
 */
public final class WatchedThrowTemplate {
  private WatchedThrowTemplate() {}

  @OnMethodEnter
  static AdmittedCall enter(
      @Slot int slot, @Interrupt boolean interrupt, @RefusedCall Throwable refused)
      throws Throwable {
    AdmittedCall admitted = Gate.pass(slot, interrupt);
    if (admitted == null) {
      throw refused;
    }
    return admitted;
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(
      @Enter AdmittedCall admitted, @Recheck boolean recheck, @Thrown @Nullable Throwable thrown) {
    Gate.leave(admitted, thrown, recheck);
  }
}
