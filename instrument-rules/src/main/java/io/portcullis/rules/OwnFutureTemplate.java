package io.portcullis.rules;

import io.portcullis.gate.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.OnNonDefaultValue;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.jspecify.annotations.Nullable;

/** As {@link FutureTemplate}, for an exception of the application's. */
final class OwnFutureTemplate {
  private OwnFutureTemplate() {}

  @OnMethodEnter(skipOn = OnNonDefaultValue.class)
  static @Nullable CompletableFuture<Object> enter(@Slot int slot, @Refused Throwable refused) {
    return Gate.enter(slot) ? CompletableFuture.failedFuture(refused) : null;
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
