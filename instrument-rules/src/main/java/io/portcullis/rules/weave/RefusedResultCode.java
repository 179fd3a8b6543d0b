package io.portcullis.rules.weave;

import io.portcullis.gate.Gate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.action.RefusedResult;
import io.portcullis.rules.action.RefusedResult.Constant;
import io.portcullis.rules.action.RefusedResult.DoneFuture;
import io.portcullis.rules.action.RefusedResult.Empty;
import io.portcullis.rules.action.RefusedResult.EmptyArray;
import io.portcullis.rules.action.RefusedResult.ExtensionResult;
import io.portcullis.rules.action.RefusedResult.FailedFuture;
import io.portcullis.rules.action.RefusedResult.OwnException;
import io.portcullis.rules.action.RefusedResult.Thrown;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.constant.IntegerConstant;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Bytecode that creates a {@link RefusedResult}. For an exception class of the application, as
 * source:
 *
 * <pre>{@code
 * NotLeaderException refused = Gate.notLeader(7);
 * Gate.because(refused, new Standby(refused.getMessage()))
 * }</pre>
 *
 * <p>The class is named in the woven class, so the woven class's own loader resolves it, and not
 * before the first refusal. The same holds for the component of an empty array.
 */
final class RefusedResultCode extends StackManipulation.AbstractBase {
  private static final String GATE = Type.getInternalName(Gate.class);
  private static final String NOT_LEADER = Type.getInternalName(NotLeaderException.class);
  private static final String FUTURE = Type.getInternalName(CompletableFuture.class);

  /** The primitive type of each box type. */
  private static final Map<Class<?>, String> PRIMITIVES =
      Map.of(
          Boolean.class, "Z",
          Character.class, "C",
          Byte.class, "B",
          Short.class, "S",
          Integer.class, "I",
          Long.class, "J",
          Float.class, "F",
          Double.class, "D");

  /** Primitive component types, in the order of the JVM's array type codes. */
  private static final String ARRAY_TYPES = "ZCFDBSIJ";

  /** Maximum stack size of all results. */
  private static final Size SIZE = new Size(1, 5);

  private final int slot;
  private final RefusedResult answer;

  RefusedResultCode(int slot, RefusedResult answer) {
    this.slot = slot;
    this.answer = answer;
  }

  /** The type of the template's parameter. */
  Class<?> type() {
    return answer instanceof Thrown ? Throwable.class : Object.class;
  }

  @Override
  public Size apply(MethodVisitor code, Implementation.Context context) {
    make(answer, code, context);
    return SIZE;
  }

  private void make(RefusedResult wanted, MethodVisitor code, Implementation.Context context) {
    if (wanted instanceof Thrown thrown) {
      makeThrown(thrown, code, context);
    } else if (wanted instanceof FailedFuture failed) {
      makeThrown(failed.failure(), code, context);
      callFuture(code, "failedFuture", "Ljava/lang/Throwable;");
    } else if (wanted instanceof DoneFuture done) {
      make(done.result(), code, context);
      callFuture(code, "completedFuture", "Ljava/lang/Object;");
    } else if (wanted instanceof Constant constant) {
      makeConstant(constant.value(), code);
    } else if (wanted instanceof Empty empty) {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          empty.owner(),
          empty.method(),
          "()L" + empty.returnType() + ";",
          empty.onInterface());
    } else if (wanted instanceof ExtensionResult asked) {
      IntegerConstant.forValue(slot).apply(code, context);
      code.visitLdcInsn(asked.method());
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, GATE, "answer", "(ILjava/lang/String;)Ljava/lang/Object;", false);
    } else if (wanted instanceof EmptyArray array) {
      code.visitInsn(Opcodes.ICONST_0);
      makeArray(array.componentDescriptor(), code);
    }
  }

  private static void callFuture(MethodVisitor code, String method, String parameter) {
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, FUTURE, method, "(" + parameter + ")L" + FUTURE + ";", false);
  }

  private static void makeConstant(@Nullable Object value, MethodVisitor code) {
    if (value == null) {
      code.visitInsn(Opcodes.ACONST_NULL);
    } else if (value instanceof String) {
      code.visitLdcInsn(value);
    } else {
      makeBox(value, code);
    }
  }

  private static void makeBox(Object value, MethodVisitor code) {
    String box = Type.getInternalName(value.getClass());
    code.visitLdcInsn(unboxed(value));
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        box,
        "valueOf",
        "(" + PRIMITIVES.get(value.getClass()) + ")L" + box + ";",
        false);
  }

  /** Types smaller than int are ints on the JVM's stack. */
  private static Object unboxed(Object value) {
    if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    if (value instanceof Character character) {
      return (int) character;
    }
    return value instanceof Byte || value instanceof Short ? ((Number) value).intValue() : value;
  }

  private static void makeArray(String componentDescriptor, MethodVisitor code) {
    int primitive = ARRAY_TYPES.indexOf(componentDescriptor);
    if (primitive >= 0) {
      code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_BOOLEAN + primitive);
    } else {
      code.visitTypeInsn(Opcodes.ANEWARRAY, Type.getType(componentDescriptor).getInternalName());
    }
  }

  private void makeThrown(Thrown thrown, MethodVisitor code, Implementation.Context context) {
    IntegerConstant.forValue(slot).apply(code, context);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, GATE, "notLeader", "(I)L" + NOT_LEADER + ";", false);
    if (thrown instanceof OwnException exception) {
      makeOwn(exception, code);
    }
  }

  private static void makeOwn(OwnException exception, MethodVisitor code) {
    if (exception.takesMessage()) {
      makeWithMessage(exception, code);
    } else {
      code.visitTypeInsn(Opcodes.NEW, exception.internalName());
      code.visitInsn(Opcodes.DUP);
      construct(exception, "()V", code);
    }
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        GATE,
        "because",
        "(L" + NOT_LEADER + ";Ljava/lang/Throwable;)Ljava/lang/Throwable;",
        false);
  }

  /** The refusal stays on the stack below: refused, message, new, new → refused, new. */
  private static void makeWithMessage(OwnException exception, MethodVisitor code) {
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, NOT_LEADER, "getMessage", "()Ljava/lang/String;", false);
    code.visitTypeInsn(Opcodes.NEW, exception.internalName());
    code.visitInsn(Opcodes.DUP_X1);
    code.visitInsn(Opcodes.SWAP);
    construct(exception, "(Ljava/lang/String;)V", code);
  }

  /**
   * The cast is for the verifier, which would otherwise load the exception's class to learn that it
   * is a Throwable, earlier than the application might expect.
   */
  private static void construct(OwnException exception, String descriptor, MethodVisitor code) {
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, exception.internalName(), "<init>", descriptor, false);
    code.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/Throwable");
  }
}
