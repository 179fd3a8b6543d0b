package io.portcullis.rules.template;

import io.portcullis.gate.AdmittedCall;
import io.portcullis.gate.Gate;
import io.portcullis.rules.template.TemplateParameter.Interrupt;
import io.portcullis.rules.template.TemplateParameter.Recheck;
import io.portcullis.rules.template.TemplateParameter.RefusedCall;
import io.portcullis.rules.template.TemplateParameter.Slot;
import net.bytebuddy.asm.Advice.Enter;
import net.bytebuddy.asm.Advice.OnMethodEnter;
import net.bytebuddy.asm.Advice.OnMethodExit;
import net.bytebuddy.asm.Advice.Thrown;
import org.jspecify.annotations.Nullable;

/**
 * Woven into a method whose refused calls throw. {@link Gate#enter} usually throws itself; the
 * woven throw covers a wrapped refusal that does not.
 */
public final class ThrowTemplate {
  private ThrowTemplate() {}

  @OnMethodEnter
  static void enter(@Slot int slot) {
    if (Gate.enter(slot)) {
      throw Gate.notLeader(slot);
    }
  }

  @OnMethodExit(onThrowable = Throwable.class)
  static void exit(@Slot int slot) {
    Gate.exit(slot);
  }

  /**
   * Woven into a constructor, before it calls another: a refused call has no effect at all. Its end
   * can't be detected, because the JVM does not allow catching what the other constructor throws.
   */
  public static final class ConstructorTemplate {
    private ConstructorTemplate() {}

    @OnMethodEnter
    static void enter(@Slot int slot, @RefusedCall Throwable refused) throws Throwable {
      if (Gate.check(slot)) {
        throw refused;
      }
    }
  }

  /** Woven into a method whose refused calls throw an exception class of the application. */
  public static final class ApplicationExceptionTemplate {
    private ApplicationExceptionTemplate() {}

    @OnMethodEnter
    static void enter(@Slot int slot, @RefusedCall Throwable refused) throws Throwable {
      if (Gate.enter(slot)) {
        throw refused;
      }
    }

    @OnMethodExit(onThrowable = Throwable.class)
    static void exit(@Slot int slot) {
      Gate.exit(slot);
    }
  }

  /**
   * Variant of {@link ThrowTemplate} and {@link ApplicationExceptionTemplate} for a rule that
   * rechecks or interrupts.
   */
  public static final class WatchedThrowTemplate {
    private WatchedThrowTemplate() {}

    @OnMethodEnter
    static AdmittedCall enter(
        @Slot int slot, @Interrupt boolean interrupt, @RefusedCall Throwable refused)
        throws Throwable {
      AdmittedCall admitted = Gate.pass(slot, interrupt);
      if (admitted == null) {
        throw refused;
      }
      return admitted;
    }

    @OnMethodExit(onThrowable = Throwable.class)
    static void exit(
        @Enter AdmittedCall admitted,
        @Recheck boolean recheck,
        @Thrown @Nullable Throwable thrown) {
      Gate.leave(admitted, thrown, recheck);
    }
  }
}
