package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.gate.ReadOnlyStatements;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.AllArguments;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.This;

/**
 * Woven into a method that executes a statement. The SQL is classified only if the gate is shut.
 */
public final class UnlessReadTemplate {
  private UnlessReadTemplate() {}

  @OnMethodEnter
  static boolean enter(@Slot int slot, @This Object statement, @AllArguments Object[] arguments) {
    if (Gate.isShut(slot) && ReadOnlyStatements.onlyReads(statement, arguments)) {
      return false;
    }
    if (Gate.enter(slot)) {
      throw Gate.notLeader(slot);
    }
    return true;
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(@Slot int slot, @Enter boolean entered) {
    if (entered) {
      Gate.exit(slot);
    }
  }
}
