package io.portcullis.rules.weave;

import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.WeaveSpec;
import io.portcullis.rules.classfile.Asm;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.MatchPattern.MatchResult;
import io.portcullis.rules.match.MethodShape;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import io.portcullis.rules.plan.ClassPlan;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.TypePath;
import org.jspecify.annotations.Nullable;

/**
 * Weaves one class with the rules that match it.
 *
 * <p>Whatever happens, a method that a rule in force matches ends up gated or blocked. If the class
 * file can't be read, its methods are unknown, and the whole class is made unloadable. Rules on
 * trial that fail leave the class to those in force.
 */
final class ClassWeaving {
  private final WeaveFailures failures;
  private final ClassLoader loader;
  private final String className;
  private final boolean loaded;
  private final byte[] classFile;
  private final TypeLookup types;

  private final List<WeaveTask> gatings = new ArrayList<>();
  private final Map<String, String> blocked = new HashMap<>();
  private final Map<InstalledRule, MatchResult> meant = new LinkedHashMap<>();
  private final Map<InstalledRule, String> problems = new LinkedHashMap<>();

  /** Whether the rules are on trial and have failed, so that they must not change the class. */
  private boolean spared;

  private boolean copied;

  /** Created lazily, because it loads Byte Buddy. */
  private static final class AdviceWeaverHolder {
    static final AdviceWeaver INSTANCE = new AdviceWeaver();
  }

  ClassWeaving(
      WeaveFailures failures,
      ClassLoader loader,
      String className,
      boolean loaded,
      byte[] classFile,
      TypeLookup types) {
    this.failures = failures;
    this.loader = loader;
    this.className = className;
    this.loaded = loaded;
    this.classFile = classFile;
    this.types = types;
  }

  /** The class file to load instead, or null if the class stays as it is. */
  byte @Nullable [] by(List<InstalledRule> rules) {
    ClassShape shape;
    try {
      shape = ClassShapeReader.read(classFile);
      for (InstalledRule rule : rules) {
        plan(rule, shape);
      }
    } catch (Throwable e) {
      rules.forEach(rule -> fail(rule, "its class file can't be read: " + e, e));
      return enforced(rules) && !spared ? Weaver.UNLOADABLE : null;
    }
    byte[] woven = woven(shape);
    meant.forEach(
        (rule, meaning) -> {
          if (!problems.containsKey(rule)) {
            rule.armed(loader, className, gatedBy(rule), meaning.hint());
          }
          tellTrap(rule, meaning);
        });
    return spared ? null : woven;
  }

  /** Whether the {@link AdviceWeaver} was used. */
  boolean hasCopied() {
    return copied;
  }

  private void plan(InstalledRule rule, ClassShape shape) {
    ClassPlan plan = ClassPlan.of(rule.rule(), shape, types, ClassShapeReader.visibleTo(loader));
    plan.gates().forEach(gate -> gatings.add(new WeaveTask(rule, gate.method(), gate.form())));
    plan.obstacles().forEach(obstacle -> meet(rule, obstacle));
    MatchResult meaning = plan.meaning();
    if (plan.meansBodies()) {
      meant.put(rule, meaning);
    } else if (meaning.meansClass() && plan.obstacles().isEmpty()) {
      if (meaning.awaitsBodies()) {
        rule.noBodyYet(loader, className, plan.hint());
      } else {
        rule.nothingFound(loader, className, plan.hint());
      }
      tellTrap(rule, meaning);
    }
  }

  private Set<String> gatedBy(InstalledRule rule) {
    return gatings.stream()
        .filter(gating -> gating.rule() == rule)
        .map(WeaveTask::key)
        .collect(Collectors.toSet());
  }

  /** A native method of a class in use stays native, since a loaded class must keep its shape. */
  private void meet(InstalledRule rule, ClassPlan.Obstacle obstacle) {
    MethodShape method = obstacle.method();
    CannotGateException problem = obstacle.problem();
    if (!loaded || !method.isNative()) {
      block(rule, method, problem.getMessage());
    }
    fail(rule, method.signature() + ": " + problem.getMessage(), problem);
  }

  private byte @Nullable [] woven(ClassShape shape) {
    try {
      List<WeaveTask> toWeave =
          gatings.stream().filter(gating -> !blocked.containsKey(gating.key())).toList();
      byte[] open =
          blocked.isEmpty() ? classFile : MethodBlocker.block(classFile, Map.copyOf(blocked));
      if (toWeave.isEmpty()) {
        return blocked.isEmpty() ? null : open;
      }
      copied = !AsmWeaver.knows(open, toWeave);
      return copied
          ? AdviceWeaverHolder.INSTANCE.weave(shape, open, toWeave)
          : AsmWeaver.weave(open, toWeave);
    } catch (Throwable e) {
      return blockAll(e);
    }
  }

  private byte @Nullable [] blockAll(Throwable cause) {
    for (WeaveTask gating : gatings) {
      block(gating.rule(), gating.method(), String.valueOf(cause));
    }
    meant.keySet().forEach(rule -> fail(rule, String.valueOf(cause), cause));
    if (blocked.isEmpty()) {
      return null; // All of the rules only observe.
    }
    try {
      return MethodBlocker.block(classFile, blocked);
    } catch (Throwable e) {
      return Weaver.UNLOADABLE;
    }
  }

  private void block(InstalledRule rule, MethodShape method, @Nullable String problem) {
    if (!rule.rule().observe()) {
      blocked.put(
          WeaveTask.key(method.name(), method.descriptor()),
          "Call refused: rule '%s' matches %s#%s, which could not be gated: %s"
              .formatted(rule.rule().id(), className, method.signature(), problem));
    }
  }

  /** Reports the first problem of each rule and class. */
  private void fail(InstalledRule rule, String problem, Throwable cause) {
    if (problems.putIfAbsent(rule, problem) == null) {
      WeaveFailure failure = new WeaveFailure(rule.rule(), className, problem, loaded, cause);
      spared |= !tellFailed(rule, loader, failures, failure);
    }
  }

  /**
   * Notifies the listener. If it throws, the method stays blocked.
   *
   * @return as {@link WeaveFailures#failed}
   */
  static boolean tellFailed(
      InstalledRule rule, ClassLoader loader, WeaveFailures failures, WeaveFailure failure) {
    rule.failed(loader, failure.className(), failure.toString());
    if (!failure.rule().observe()) {
      try {
        return failures.failed(failure);
      } catch (RuntimeException | Error broken) {
        failure.cause().addSuppressed(broken);
      }
    }
    return true;
  }

  private static void tellTrap(InstalledRule rule, MatchResult meaning) {
    if (!meaning.trap().isEmpty()) {
      rule.note(meaning.trap());
    }
  }

  private static boolean enforced(Iterable<InstalledRule> rules) {
    for (InstalledRule rule : rules) {
      if (!rule.rule().observe()) {
        return true;
      }
    }
    return false;
  }

  /** One method to be gated by one rule, in one form. */
  record WeaveTask(InstalledRule rule, MethodShape method, WeaveSpec form) {
    /** Name and descriptor, which identify a method in its class. */
    static String key(String name, String descriptor) {
      return name + descriptor;
    }

    String key() {
      return key(method.name(), method.descriptor());
    }
  }

  /**
   * Replaces the body of a method that can't be gated with one that throws. Simple on purpose, and
   * implemented without the {@link AdviceWeaver}, so that it works where that fails.
   */
  static final class MethodBlocker {
    private MethodBlocker() {}

    /**
     * Blocks methods. Native methods become Java methods.
     *
     * @param messages exception messages by {@link WeaveTask#key}
     */
    static byte[] block(byte[] classFile, Map<String, String> messages) {
      ClassReader reader = Asm.reader(classFile);
      ClassWriter writer = new ClassWriter(reader, 0);
      reader.accept(
          new ClassVisitor(Asm.API, writer) {
            @Override
            public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
              String message = messages.get(WeaveTask.key(name, descriptor));
              if (message == null) {
                return super.visitMethod(access, name, descriptor, signature, exceptions);
              }
              int withCode = access & ~Opcodes.ACC_NATIVE;
              return new BlockingMethodVisitor(
                  super.visitMethod(withCode, name, descriptor, signature, exceptions),
                  message,
                  localsOf(access, descriptor));
            }
          },
          0);
      return writer.toByteArray();
    }

    private static int localsOf(int access, String descriptor) {
      int withReceiver = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
      return (access & Opcodes.ACC_STATIC) == 0 ? withReceiver : withReceiver - 1;
    }

    /** Keeps the method's attributes and drops its code. */
    private static final class BlockingMethodVisitor extends MethodVisitor {
      private static final String EXCEPTION = "java/lang/IllegalStateException";

      private final MethodVisitor target;
      private final String message;
      private final int locals;

      BlockingMethodVisitor(MethodVisitor target, String message, int locals) {
        super(Asm.API);
        this.target = target;
        this.message = message;
        this.locals = locals;
      }

      @Override
      public void visitParameter(@Nullable String name, int access) {
        target.visitParameter(name, access);
      }

      @Override
      public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
        return target.visitAnnotation(descriptor, visible);
      }

      @Override
      public AnnotationVisitor visitTypeAnnotation(
          int typeRef, @Nullable TypePath path, String descriptor, boolean visible) {
        return target.visitTypeAnnotation(typeRef, path, descriptor, visible);
      }

      @Override
      public void visitAnnotableParameterCount(int count, boolean visible) {
        target.visitAnnotableParameterCount(count, visible);
      }

      @Override
      public AnnotationVisitor visitParameterAnnotation(
          int parameter, String descriptor, boolean visible) {
        return target.visitParameterAnnotation(parameter, descriptor, visible);
      }

      @Override
      public void visitAttribute(Attribute attribute) {
        if (!attribute.isCodeAttribute()) {
          target.visitAttribute(attribute);
        }
      }

      /** Writes the new code; called last, also for methods without code. */
      @Override
      public void visitEnd() {
        target.visitCode();
        target.visitTypeInsn(Opcodes.NEW, EXCEPTION);
        target.visitInsn(Opcodes.DUP);
        target.visitLdcInsn(message);
        target.visitMethodInsn(
            Opcodes.INVOKESPECIAL, EXCEPTION, "<init>", "(Ljava/lang/String;)V", false);
        target.visitInsn(Opcodes.ATHROW);
        target.visitMaxs(3, locals);
        target.visitEnd();
      }
    }
  }
}
