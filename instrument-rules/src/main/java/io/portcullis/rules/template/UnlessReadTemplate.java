package io.portcullis.rules.template;

import io.portcullis.gate.Gate;
import io.portcullis.gate.ReadOnlyStatements;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.AllArguments;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Return;
import net.bytebuddy.asm.Advice.This;
import org.jspecify.annotations.Nullable;

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

  /** Woven into a method that prepares a statement; records its SQL. */
  public static final class RecordSqlTemplate {
    private RecordSqlTemplate() {}

    @OnMethodExit
    static void exit(@Argument(0) String sql, @Return @Nullable Object statement) {
      ReadOnlyStatements.prepared(statement, sql);
    }
  }
}
