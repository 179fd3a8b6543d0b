package io.portcullis.rules.classfile;

import io.portcullis.rules.match.MethodShape.Lead;
import io.portcullis.rules.match.MethodShape.Way;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a bridge's code which method of its own name it leads to: straight, if the code does
 * nothing but hand the arguments on to one method of its own class. Anything else beside the call,
 * such as the unboxing in Scala's bridges, makes the way a winding one.
 */
final class BridgeTarget extends MethodVisitor {
  private final String owner;
  private final String name;
  private final Consumer<Lead> target;

  private @Nullable String found;
  private @Nullable String foundInParent;
  private boolean plain = true;

  /**
   * Makes a reader.
   *
   * @param owner internal name of the bridge's class
   * @param target told where the bridge leads, if it does
   */
  BridgeTarget(String owner, String name, Consumer<Lead> target) {
    super(OpenedClassReader.ASM_API);
    this.owner = owner;
    this.name = name;
    this.target = target;
  }

  @Override
  public void visitMethodInsn(
      int opcode, String calledOwner, String calledName, String descriptor, boolean isInterface) {
    boolean own =
        opcode != Opcodes.INVOKESPECIAL && calledOwner.equals(owner) && calledName.equals(name);
    plain &= found == null && own;
    if (own) {
      found = descriptor;
    } else if (opcode == Opcodes.INVOKESPECIAL && calledName.equals(name)) {
      foundInParent = descriptor;
    }
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    plain &= opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD;
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    plain &= opcode == Opcodes.CHECKCAST;
  }

  @Override
  public void visitInsn(int opcode) {
    plain &= opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN && found != null;
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    plain = false;
  }

  @Override
  public void visitFieldInsn(int opcode, String of, String field, String descriptor) {
    plain = false;
  }

  @Override
  public void visitInvokeDynamicInsn(
      String called, String descriptor, Handle bootstrap, Object... arguments) {
    plain = false;
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    plain = false;
  }

  @Override
  public void visitLdcInsn(Object value) {
    plain = false;
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    plain = false;
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
    plain = false;
  }

  @Override
  public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
    plain = false;
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    plain = false;
  }

  @Override
  public void visitTryCatchBlock(
      Label start, Label end, Label handler, @Nullable String exception) {
    plain = false;
  }

  @Override
  public void visitEnd() {
    String descriptor = found;
    String parents = foundInParent;
    if (descriptor != null) {
      target.accept(new Lead(descriptor, plain ? Way.STRAIGHT : Way.WINDING));
    } else if (parents != null) {
      target.accept(new Lead(parents, Way.TO_PARENT));
    }
  }
}
