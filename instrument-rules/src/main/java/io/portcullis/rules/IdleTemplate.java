package io.portcullis.rules;

import net.bytebuddy.asm.Advice.OnMethodEnter;

/** Woven where a rule without a gate only observes: there is nothing to be seen. */
final class IdleTemplate {
  private IdleTemplate() {}

  @OnMethodEnter
  static void enter() {}
}
