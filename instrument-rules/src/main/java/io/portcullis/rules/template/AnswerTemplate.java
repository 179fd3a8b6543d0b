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
import net.bytebuddy.asm.Advice.OnNonDefaultValue;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.asm.Advice.Thrown;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.jspecify.annotations.Nullable;

/**
 * Woven into a method whose refused calls return a value without running the body. In a void method
 * Byte Buddy omits the assignment of the return value.
 */
public final class AnswerTemplate {
  private AnswerTemplate() {}

  @OnMethodEnter(skipOn = OnNonDefaultValue.class)
  static boolean enter(@Slot int slot) {
    return Gate.enter(slot);
  }

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedVariable") // The assignment becomes the woven method's return value.
  static void exit(
      @Slot int slot,
      @Enter boolean refused,
      @RefusedCall @Nullable Object answer,
      @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
    if (refused) {
      returned = answer;
    } else {
      Gate.exit(slot);
    }
  }

  /** Variant of {@link AnswerTemplate} for a rule that rechecks or interrupts. */
  public static final class WatchedAnswerTemplate {
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
}
