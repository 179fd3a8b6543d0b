package io.portcullis.rules.template;

import io.portcullis.gate.AdmittedCall;
import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnDefaultValue;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.OnNonDefaultValue;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.asm.Advice.Thrown;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.jspecify.annotations.Nullable;

/** Variant of {@link FutureTemplate} whose refused calls return a future made by the rule. */
public final class AnswerFutureTemplate {
  private AnswerFutureTemplate() {}

  @OnMethodEnter(skipOn = OnNonDefaultValue.class)
  static boolean enter(@Slot int slot) {
    return Gate.enter(slot);
  }

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedVariable") // The assignment becomes the woven method's return value.
  static void exit(
      @Slot int slot,
      @Enter boolean refused,
      @RefusedCall Object answer,
      @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
    if (refused) {
      returned = answer;
    } else if (returned == null) {
      Gate.exit(slot);
    } else {
      Gate.exitWhenDone(slot, (CompletionStage<?>) returned);
    }
  }

  /** Variant of {@link AnswerFutureTemplate} for a rule that rechecks or interrupts. */
  public static final class WatchedAnswerFutureTemplate {
    private WatchedAnswerFutureTemplate() {}

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
        @RefusedCall Object answer,
        @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
      if (admitted == null) {
        returned = answer;
      } else if (thrown == null) {
        returned = Gate.leaveWith(admitted, returned, recheck);
      } else {
        Gate.leave(admitted, thrown, recheck);
      }
    }
  }
}
