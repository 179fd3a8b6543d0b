package io.portcullis.rules.template;

import io.portcullis.gate.AdmittedCall;
import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnDefaultValue;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.asm.Advice.Thrown;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.jspecify.annotations.Nullable;

/** Variant of {@link AnswerTemplate} for a rule that rechecks or interrupts. */
public final class WatchedAnswerTemplate {
  private WatchedAnswerTemplate() {}

  @OnMethodEnter(skipOn = OnDefaultValue.class)
  static @Nullable AdmittedCall enter(@Slot int slot, @Interrupt boolean interrupt) {
    return Gate.pass(slot, interrupt);
  }

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedVariable") // The assignment becomes the woven method's return value.
  static void exit(
      @Enter @Nullable AdmittedCall admitted,
      @Recheck boolean recheck,
      @Thrown @Nullable Throwable thrown,
      @RefusedCall @Nullable Object answer,
      @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
    if (admitted == null) {
      returned = answer;
    } else {
      Gate.leave(admitted, thrown, recheck);
    }
  }
}
