package io.portcullis.rules;

import io.portcullis.gate.Gate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.GateForm.OwnException;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.constant.IntegerConstant;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Code that makes an exception of the application's, as source:
 *
 * <pre>{@code
 * NotLeaderException refused = Gate.notLeader(7);
 * Gate.because(refused, new Standby(refused.getMessage()))
 * }</pre>
 *
 * <p>The class is named in the woven class, so the woven class's own loader resolves it, and not
 * before the first refusal.
 */
final class OwnExceptionCode extends StackManipulation.AbstractBase {
  private static final String GATE = Type.getInternalName(Gate.class);
  private static final String NOT_LEADER = Type.getInternalName(NotLeaderException.class);
  private static final Size SIZE = new Size(1, 5);

  private final int slot;
  private final OwnException exception;

  OwnExceptionCode(int slot, OwnException exception) {
    this.slot = slot;
    this.exception = exception;
  }

  @Override
  public Size apply(MethodVisitor code, Implementation.Context context) {
    IntegerConstant.forValue(slot).apply(code, context);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, GATE, "notLeader", "(I)L" + NOT_LEADER + ";", false);
    if (exception.takesMessage()) {
      makeWithMessage(code);
    } else {
      code.visitTypeInsn(Opcodes.NEW, exception.internalName());
      code.visitInsn(Opcodes.DUP);
      construct(code, "()V");
    }
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        GATE,
        "because",
        "(L" + NOT_LEADER + ";Ljava/lang/Throwable;)Ljava/lang/Throwable;",
        false);
    return SIZE;
  }

  /** The refusal stays on the stack below: refused, message, new, new → refused, new. */
  private void makeWithMessage(MethodVisitor code) {
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, NOT_LEADER, "getMessage", "()Ljava/lang/String;", false);
    code.visitTypeInsn(Opcodes.NEW, exception.internalName());
    code.visitInsn(Opcodes.DUP_X1);
    code.visitInsn(Opcodes.SWAP);
    construct(code, "(Ljava/lang/String;)V");
  }

  /**
   * The cast is for the verifier, which would otherwise load the exception's class to learn that it
   * is a Throwable, earlier than the application might expect.
   */
  private void construct(MethodVisitor code, String descriptor) {
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, exception.internalName(), "<init>", descriptor, false);
    code.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/Throwable");
  }
}
