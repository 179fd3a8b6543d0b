package io.portcullis.rules.weave;

import io.portcullis.rules.action.RefusedResult.Constant;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.classfile.Asm;
import io.portcullis.rules.template.AnswerTemplate;
import io.portcullis.rules.template.ThrowTemplate;
import io.portcullis.rules.weave.ClassWeaving.WeaveTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the two most common gates with ASM: those of {@link ThrowTemplate}, and of {@link
 * AnswerTemplate} in void methods. The result is the same as that of the {@link AdviceWeaver}. A
 * JVM whose rules need no other gates avoids loading about 600 Byte Buddy classes, which cause most
 * of the startup cost of weaving.
 */
final class AsmWeaver {
  /** First class file version in which every branch has a frame and there are no subroutines. */
  private static final int FIRST_VERSION = Opcodes.V1_7;

  private static final int MAJOR_VERSION_AT = 6;

  private AsmWeaver() {}

  /** Whether it can weave all of these; otherwise the {@link AdviceWeaver} does. */
  static boolean knows(byte[] classFile, List<WeaveTask> gatings) {
    int version =
        ((classFile[MAJOR_VERSION_AT] & 0xFF) << 8) | (classFile[MAJOR_VERSION_AT + 1] & 0xFF);
    if (version < FIRST_VERSION) {
      return false;
    }
    for (WeaveTask gating : gatings) {
      if (!throwsByItself(gating.form()) && !isSkipped(gating)) {
        return false;
      }
    }
    return true;
  }

  private static boolean throwsByItself(WeaveSpec form) {
    return form.template() == ThrowTemplate.class;
  }

  private static boolean isSkipped(WeaveTask gating) {
    return gating.form().template() == AnswerTemplate.class
        && gating.form().answer() instanceof Constant
        && gating.method().descriptor().endsWith(")V");
  }

  /** Returns the class file with all gates; if a method has several, the first is the outermost. */
  static byte[] weave(byte[] classFile, List<WeaveTask> gatings) {
    ClassReader reader = Asm.reader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    GateClassVisitor woven = new GateClassVisitor(writer, gatings);
    reader.accept(woven, 0);
    if (!woven.missing.isEmpty()) {
      throw new IllegalStateException("Not found in the class: " + woven.missing.keySet());
    }
    return writer.toByteArray();
  }

  private static final class GateClassVisitor extends ClassVisitor {
    final Map<String, List<WeaveTask>> missing = new HashMap<>();

    GateClassVisitor(ClassVisitor next, List<WeaveTask> gatings) {
      super(Asm.API, next);
      for (WeaveTask gating : gatings) {
        missing.computeIfAbsent(gating.key(), key -> new ArrayList<>()).add(gating);
      }
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      List<WeaveTask> gates = missing.remove(WeaveTask.key(name, descriptor));
      if (gates != null) {
        for (WeaveTask gate : gates) {
          method = new GateMethodVisitor(method, gate.rule().slot(), throwsByItself(gate.form()));
        }
      }
      return method;
    }
  }
}
