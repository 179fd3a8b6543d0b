package io.portcullis.rules.template;

import net.bytebuddy.asm.Advice.OnMethodEnter;

/** Woven for an observed rule that has no gate; does nothing. */
public final class ObserveTemplate {
  private ObserveTemplate() {}

  @OnMethodEnter
  static void enter() {}
}
