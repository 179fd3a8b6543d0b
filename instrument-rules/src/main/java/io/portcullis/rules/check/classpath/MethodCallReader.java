package io.portcullis.rules.check.classpath;

import io.portcullis.rules.check.classpath.OfflineClass.MethodCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Reads from a class file which methods its code calls. */
final class MethodCallReader extends ClassVisitor {
  /** Result for a class whose code is not analysed. */
  static final MethodCallReader NOTHING = new MethodCallReader();

  private final Map<String, List<MethodCall>> calls = new HashMap<>();
  private String source = "";

  private MethodCallReader() {
    super(OpenedClassReader.ASM_API);
  }

  static MethodCallReader of(byte[] classFile) {
    MethodCallReader reader = new MethodCallReader();
    OpenedClassReader.of(classFile).accept(reader, ClassReader.SKIP_FRAMES);
    return reader;
  }

  Map<String, List<MethodCall>> calls() {
    return calls;
  }

  String source() {
    return source;
  }

  @Override
  public void visitSource(@Nullable String file, @Nullable String debug) {
    source = file == null ? "" : file;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new MethodReader(name + descriptor);
  }

  private final class MethodReader extends MethodVisitor {
    private final String key;
    private final List<MethodCall> found = new ArrayList<>();
    private int line;

    MethodReader(String key) {
      super(OpenedClassReader.ASM_API);
      this.key = key;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      add(owner, name, descriptor, opcode == Opcodes.INVOKESPECIAL, false);
    }

    /** Adds the body of a lambda or the target of a method reference: a bootstrap argument. */
    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        if (argument instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
          add(
              handle.getOwner(),
              handle.getName(),
              handle.getDesc(),
              handle.getTag() == Opcodes.H_INVOKESPECIAL,
              true);
        }
      }
    }

    private void add(
        String owner, String name, String descriptor, boolean special, boolean deferred) {
      if (owner.charAt(0) != '[') { // Arrays only have the methods of Object.
        found.add(
            new MethodCall(owner.replace('/', '.'), name, descriptor, special, deferred, line));
      }
    }

    @Override
    public void visitEnd() {
      calls.put(key, List.copyOf(found));
    }
  }
}
