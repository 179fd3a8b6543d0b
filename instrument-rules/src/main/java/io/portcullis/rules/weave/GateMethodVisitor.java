package io.portcullis.rules.weave;

import io.portcullis.rules.classfile.Asm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Puts a method's code behind a gate: {@code Gate.enter} before it, and {@code Gate.exit} on every
 * way out, once.
 *
 * <pre>
 *   if (Gate.enter(slot)) throw Gate.notLeader(slot);     // or return
 *   try {
 *     the code, with Gate.exit(slot) right before each return
 *   } catch (Throwable any) {
 *     Gate.exit(slot);
 *     throw any;
 *   }
 *   // and where Gate.exit can't be called, since the stack is full:
 *   catch (StackOverflowError full) {
 *     Gate.UNREPORTED_EXITS[slot]++;
 *     throw full;
 *   }
 * </pre>
 *
 * No local variable is added and no value on the stack is changed, so that nothing has to be known
 * about them. An exception thrown by {@code Gate.exit} before a return must neither end the call a
 * second time nor reach a handler of the method itself. Therefore all handler ranges exclude these
 * instructions and the return instruction, which throws if a monitor is still held.
 */
final class GateMethodVisitor extends MethodVisitor {
  private static final String GATE = "io/portcullis/gate/Gate";
  private static final String NOT_LEADER = "(I)Lio/portcullis/gate/NotLeaderException;";

  /** Maximum number of handlers that a class file can contain for a method. */
  private static final int MAX_HANDLERS = 65_535;

  private static final Object[] NOTHING = {};
  private static final Object[] ANY_THROWABLE = {"java/lang/Throwable"};
  private static final String STACK_OVERFLOW = "java/lang/StackOverflowError";

  /** Stack size needed to count an exit that could not be reported to the gate. */
  private static final int STACK_TO_NOTE = 5;

  private final int slot;
  private final boolean throwing;
  private final Label begin = new Label();

  /** Number of instructions before each label. */
  private final Map<Label, Integer> places = new HashMap<>();

  private final List<Range> ranges = new ArrayList<>();
  private final List<ReturnPoint> waysOut = new ArrayList<>();
  private int place;
  private int handlers;

  /** A range of the method's code with its handler. */
  private record Range(Label start, Label end, Label handler, @Nullable String type) {}

  /** Labels of the call of Gate.exit, of the return instruction and of the following code. */
  private record ReturnPoint(Label told, Label returned, Label after) {}

  GateMethodVisitor(MethodVisitor next, int slot, boolean throwing) {
    super(Asm.API, next);
    this.slot = slot;
    this.throwing = throwing;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    Label open = new Label();
    callGate("enter", "(I)Z");
    super.visitJumpInsn(Opcodes.IFEQ, open);
    if (throwing) {
      callGate("notLeader", NOT_LEADER);
      super.visitInsn(Opcodes.ATHROW);
    } else {
      super.visitInsn(Opcodes.RETURN);
    }
    super.visitLabel(open);
    super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    visitLabel(begin);
    visitInsn(Opcodes.NOP); // The method's code may start with a frame.
  }

  /** Emits code directly to the next visitor, since it is not part of the method's own code. */
  private void callGate(String method, String descriptor) {
    pushSlot();
    super.visitMethodInsn(Opcodes.INVOKESTATIC, GATE, method, descriptor, false);
  }

  private void pushSlot() {
    if (slot <= Byte.MAX_VALUE) {
      super.visitIntInsn(Opcodes.BIPUSH, slot);
    } else {
      super.visitIntInsn(Opcodes.SIPUSH, slot);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode < Opcodes.IRETURN || opcode > Opcodes.RETURN) {
      place++;
      super.visitInsn(opcode);
      return;
    }
    ReturnPoint wayOut = new ReturnPoint(new Label(), new Label(), new Label());
    visitLabel(wayOut.told);
    place++;
    callGate("exit", "(I)V");
    visitLabel(wayOut.returned);
    place++;
    super.visitInsn(opcode);
    visitLabel(wayOut.after);
    waysOut.add(wayOut);
  }

  /** Deferred until the excluded ranges are known. */
  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    ranges.add(new Range(start, end, handler, type));
  }

  /** Writes the method's own handlers first: the JVM uses the first that matches. */
  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    Label end = new Label();
    visitLabel(end);
    for (Range range : ranges) {
      Label from = range.start;
      for (ReturnPoint wayOut : waysOut) {
        if (isWithin(range, wayOut)) {
          cover(from, wayOut.told, range.handler, range.type);
          from = wayOut.after;
        }
      }
      cover(from, range.end, range.handler, range.type);
    }
    Label handler = new Label();
    Label from = begin;
    for (ReturnPoint wayOut : waysOut) {
      cover(from, wayOut.told, handler, null);
      from = wayOut.after;
    }
    cover(from, end, handler, null);
    visitLabel(handler);
    super.visitFrame(Opcodes.F_FULL, 0, NOTHING, 1, ANY_THROWABLE);
    place++;
    callGate("exit", "(I)V");
    Label told = new Label();
    visitLabel(told);
    super.visitInsn(Opcodes.ATHROW);
    Label full = new Label();
    waysOut.forEach(wayOut -> cover(wayOut.told, wayOut.returned, full, STACK_OVERFLOW));
    cover(handler, told, full, STACK_OVERFLOW);
    noteUntold(full);
    super.visitMaxs(Math.max(maxStack + 1, STACK_TO_NOTE), maxLocals);
  }

  /** Calls no method, because the stack is exhausted. */
  private void noteUntold(Label full) {
    super.visitLabel(full);
    super.visitFrame(Opcodes.F_FULL, 0, NOTHING, 1, new Object[] {STACK_OVERFLOW});
    super.visitFieldInsn(Opcodes.GETSTATIC, GATE, "UNREPORTED_EXITS", "[I");
    pushSlot();
    super.visitInsn(Opcodes.DUP2);
    super.visitInsn(Opcodes.IALOAD);
    super.visitInsn(Opcodes.ICONST_1);
    super.visitInsn(Opcodes.IADD);
    super.visitInsn(Opcodes.IASTORE);
    super.visitInsn(Opcodes.ATHROW);
  }

  private boolean isWithin(Range range, ReturnPoint wayOut) {
    return place(range.start) <= place(wayOut.told) && place(wayOut.returned) < place(range.end);
  }

  /** Skips empty ranges, which the JVM does not accept. */
  private void cover(Label from, Label to, Label handler, @Nullable String type) {
    if (place(from) < place(to)) {
      if (++handlers > MAX_HANDLERS) {
        throw new IllegalStateException("The exception table would be too long.");
      }
      super.visitTryCatchBlock(from, to, handler, type);
    }
  }

  private int place(Label label) {
    Integer known = places.get(label);
    if (known == null) {
      throw new IllegalStateException("A handler range refers to a label that is not in the code.");
    }
    return known;
  }

  @Override
  public void visitLabel(Label label) {
    places.put(label, place);
    super.visitLabel(label);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    place++;
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    place++;
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    place++;
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    place++;
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    place++;
    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    place++;
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    place++;
    super.visitJumpInsn(opcode, label);
  }

  @Override
  public void visitLdcInsn(Object value) {
    place++;
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    place++;
    super.visitIincInsn(variable, increment);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
    place++;
    super.visitTableSwitchInsn(min, max, other, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
    place++;
    super.visitLookupSwitchInsn(other, keys, labels);
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    place++;
    super.visitMultiANewArrayInsn(descriptor, dimensions);
  }
}
