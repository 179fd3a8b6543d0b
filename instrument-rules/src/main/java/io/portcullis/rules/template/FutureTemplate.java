package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.Slot;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.OnNonDefaultValue;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.asm.Advice.Thrown;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.jspecify.annotations.Nullable;

/**
 * Woven into a method that returns a future. If {@code enter} returns a future, the method returns
 * it without running the body. A call that returns a future ends when the future completes; one
 * that throws or returns null ends at once.
 */
public final class FutureTemplate {
  private FutureTemplate() {}

  @OnMethodEnter(skipOn = OnNonDefaultValue.class)
  static @Nullable CompletableFuture<Object> enter(@Slot int slot) {
    return Gate.enterOrFail(slot);
  }

  @OnMethodExit(onThrowable = Throwable.class)
  @SuppressWarnings("UnusedVariable") // The assignment becomes the woven method's return value.
  static void exit(
      @Slot int slot,
      @Enter @Nullable CompletableFuture<Object> failed,
      @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
    if (failed != null) {
      returned = failed;
    } else if (returned == null) {
      Gate.exit(slot);
    } else {
      Gate.exitWhenDone(slot, (CompletionStage<?>) returned);
    }
  }

  /**
   * Variant of {@link FutureTemplate} for a rule that rechecks or interrupts. {@code enter} returns
   * the admitted call, or the future to return without running the body.
   */
  public static final class WatchedFutureTemplate {
    private WatchedFutureTemplate() {}

    @OnMethodEnter(skipOn = CompletableFuture.class)
    static Object enter(@Slot int slot, @Interrupt boolean interrupt) {
      return Gate.passOrFail(slot, interrupt);
    }

    @OnMethodExit(onThrowable = Throwable.class)
    @SuppressWarnings("UnusedVariable") // The assignment becomes the woven method's return value.
    static void exit(
        @Enter Object entered,
        @Recheck boolean recheck,
        @Thrown @Nullable Throwable thrown,
        @Return(readOnly = false, typing = Typing.DYNAMIC) @Nullable Object returned) {
      if (entered instanceof CompletableFuture) {
        returned = entered;
      } else if (thrown == null) {
        returned = Gate.leaveWith(entered, returned, recheck);
      } else {
        Gate.leave(entered, thrown, recheck);
      }
    }
  }
}
