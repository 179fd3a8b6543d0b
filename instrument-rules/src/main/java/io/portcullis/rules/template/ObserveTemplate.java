package io.portcullis.rules.template;

import net.bytebuddy.asm.Advice.OnMethodEnter;

/** Woven where a rule without a gate only observes: there is nothing to be seen. */
public final class ObserveTemplate {
  private ObserveTemplate() {}

  @OnMethodEnter
  static void enter() {}
}
