package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Slot;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.OnNonDefaultValue;
import net.bytebuddy.asm.Advice.Return;
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
}
