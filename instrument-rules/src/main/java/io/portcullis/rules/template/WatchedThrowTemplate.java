package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.gate.Passage;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/**
 * As {@link ThrowTemplate} and {@link OwnThrowTemplate}, for a rule that rechecks or interrupts.
 */
public final class WatchedThrowTemplate {
  private WatchedThrowTemplate() {}

  @OnMethodEnter
  static Passage enter(@Slot int slot, @Interrupt boolean interrupt, @Refused Throwable refused)
      throws Throwable {
    Passage passage = Gate.pass(slot, interrupt);
    if (passage == null) {
      throw refused;
    }
    return passage;
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(
      @Enter Passage passage, @Recheck boolean recheck, @Thrown @Nullable Throwable thrown) {
    Gate.leave(passage, thrown, recheck);
  }
}
