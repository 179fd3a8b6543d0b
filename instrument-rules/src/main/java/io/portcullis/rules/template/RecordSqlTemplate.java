package io.portcullis.rules.template;

import io.portcullis.gate.ReadOnlyStatements;
import net.bytebuddy.asm.Advice.Argument;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Return;
import org.jspecify.annotations.Nullable;

/** Woven into a method that prepares a statement; records its SQL. */
public final class RecordSqlTemplate {
  private RecordSqlTemplate() {}

  @OnMethodExit
  static void exit(@Argument(0) String sql, @Return @Nullable Object statement) {
    ReadOnlyStatements.prepared(statement, sql);
  }
}
