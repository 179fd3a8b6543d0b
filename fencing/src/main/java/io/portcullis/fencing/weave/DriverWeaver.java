package io.portcullis.fencing.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the two classes of a Postgres driver that open connections and throw exceptions.
 *
 * <p>A driver is recognized under any package, so that forks ({@code com.edb}, {@code
 * com.yugabyte}) and relocated copies are woven like the original. The end of the class name is
 * compared first, since every class that the JVM loads is asked about; the content of the class
 * decides. A class with such a name and nothing of a driver in it is left alone. One that has a
 * part of what is woven, but not all of it, can't be loaded and is reported.
 */
public final class DriverWeaver implements ClassFileTransformer {
  private static final String STREAM = "/core/PGStream";
  private static final String EXECUTOR = "/core/v3/QueryExecutorImpl";

  /** A class in such a package belongs to a driver, whatever its content. */
  private static final String ORIGINAL_PACKAGE = "postgresql";

  /** No class file: whoever defines a class by it fails. */
  private static final byte[] UNLOADABLE = {0};

  private final Predicate<@Nullable ClassLoader> ownLoader;
  private final Consumer<DriverWeaveFailure> failures;

  /** Classes that were woven as they were loaded. */
  private final ClassNamesByLoader wovenOnLoad = new ClassNamesByLoader();

  /** Classes that were not, and were dealt with since. */
  private final ClassNamesByLoader handledLate = new ClassNamesByLoader();

  /** Classes with the name of a driver's class and nothing of a driver in them. */
  private final ClassNamesByLoader unrelated = new ClassNamesByLoader();

  /** Why a class that is loaded could not be woven just now. */
  private volatile @Nullable Throwable lastFailure;

  /**
   * To be added to an {@link Instrumentation} as one that can retransform.
   *
   * @param ownLoader tells the loaders whose drivers are the agent's own
   * @param failures is told of each class that can't be woven, on the thread that loads it or has
   *     called {@link #weaveLoaded}
   */
  public DriverWeaver(
      Predicate<@Nullable ClassLoader> ownLoader, Consumer<DriverWeaveFailure> failures) {
    this.ownLoader = ownLoader;
    this.failures = failures;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String givenName,
      @Nullable Class<?> classBeingRedefined,
      @Nullable ProtectionDomain protectionDomain,
      byte[] classFile) {
    String name = givenName == null ? nameIn(classFile) : givenName;
    if (name == null || !hasDriverName(name) || ownLoader.test(loader)) {
      return null;
    }
    try {
      byte[] woven =
          weave(name, classFile, classBeingRedefined != null && !wovenOnLoad.has(loader, name));
      if (woven == null) {
        unrelated.add(loader, name);
      } else if (classBeingRedefined == null) {
        wovenOnLoad.add(loader, name);
      }
      return woven;
    } catch (Throwable e) {
      if (classBeingRedefined == null) {
        failures.accept(new DriverWeaveFailure(name, loader, false, e));
      } else {
        lastFailure = e; // The class stays as it is, and whoever asked is told that it does.
      }
      return UNLOADABLE;
    }
  }

  /** Loaders need not tell the name of what they define. */
  private static @Nullable String nameIn(byte[] classFile) {
    try {
      return new ClassReader(classFile).getClassName();
    } catch (RuntimeException e) {
      return null; // The JVM will not take it for a class either.
    }
  }

  /**
   * Weaves the drivers that are loaded and have not come past here, once this is among the
   * transformers: those from before, and those for which the JVM left the transformers out, as it
   * does at the very end of a thread's stack and within a transformer. So this is to be called
   * again from time to time. Lines that such a driver has made are ended by the next message that
   * is sent on them.
   *
   * @return the classes that were woven now
   */
  public List<Class<?>> weaveLoaded(Instrumentation instrumentation) {
    List<Class<?>> woven = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (isMissed(type)) {
        if (weaveLoaded(instrumentation, type)) {
          woven.add(type);
        }
        handledLate.add(type.getClassLoader(), internalName(type));
      }
    }
    return woven;
  }

  private boolean isMissed(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    String name = type.getName();
    if (!name.endsWith("PGStream") && !name.endsWith("QueryExecutorImpl")) {
      return false; // Of thousands of classes, nearly all.
    }
    String internal = internalName(type);
    return hasDriverName(internal)
        && !ownLoader.test(loader)
        && !wovenOnLoad.has(loader, internal)
        && !unrelated.has(loader, internal)
        && !handledLate.has(loader, internal);
  }

  private boolean weaveLoaded(Instrumentation instrumentation, Class<?> type) {
    lastFailure = null;
    try {
      instrumentation.retransformClasses(type);
      return !unrelated.has(type.getClassLoader(), internalName(type));
    } catch (UnmodifiableClassException | RuntimeException | Error e) {
      Throwable cause = lastFailure;
      failures.accept(
          new DriverWeaveFailure(
              internalName(type), type.getClassLoader(), true, cause == null ? e : cause));
      return false;
    }
  }

  private static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static boolean hasDriverName(String className) {
    return className.endsWith(STREAM) || className.endsWith(EXECUTOR);
  }

  private static boolean hasOriginalName(String className) {
    return className.endsWith(ORIGINAL_PACKAGE + STREAM)
        || className.endsWith(ORIGINAL_PACKAGE + EXECUTOR);
  }

  /** Null if the class is no driver's. */
  private static byte @Nullable [] weave(String className, byte[] classFile, boolean late) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    boolean isDriver = hasOriginalName(className);
    if (className.endsWith(STREAM)) {
      PgStreamWeaver weave = new PgStreamWeaver(writer, className, late);
      reader.accept(weave, 0);
      isDriver |= weave.looksLikeDriver();
      if (isDriver) {
        weave.requireAll();
      }
    } else {
      QueryExecutorWeaver weave = new QueryExecutorWeaver(writer, STREAM);
      reader.accept(weave, 0);
      isDriver |= weave.looksLikeDriver();
      if (isDriver) {
        weave.requireAny();
      }
    }
    return isDriver ? writer.toByteArray() : null;
  }

  /** Names of classes by their loaders, as long as those live. Any thread may ask. */
  static final class ClassNamesByLoader {
    private final Map<@Nullable ClassLoader, Set<String>> names = new WeakHashMap<>();

    synchronized void add(@Nullable ClassLoader loader, String name) {
      names.computeIfAbsent(loader, any -> new HashSet<>()).add(name);
    }

    synchronized boolean has(@Nullable ClassLoader loader, String name) {
      return names.getOrDefault(loader, Set.of()).contains(name);
    }
  }

  /**
   * A driver's class that could not be woven.
   *
   * @param className with slashes
   * @param loaded whether it is in use all the same, since it was loaded before; else it was kept
   *     from being loaded
   */
  public record DriverWeaveFailure(
      String className, @Nullable ClassLoader loader, boolean loaded, Throwable why) {}

  /**
   * Lets every SQLException that leaves a class pass by the gate. Only public methods are
   * concerned: within the class its own handlers are to see what they always saw.
   */
  static final class QueryExecutorWeaver extends ClassVisitor {
    private static final String DRIVER_HOOKS = "io/portcullis/gate/DriverHooks";
    private static final String FAILURE = "java/sql/SQLException";
    private static final String TRANSLATE =
        "(Ljava/lang/Exception;Ljava/lang/String;)Ljava/lang/Throwable;";

    private final String streamType;
    private boolean looksLikeDriver;
    private int methods;

    /**
     * Weaves a class.
     *
     * @param streamName how the name of the class ends by which a driver speaks to its server
     */
    QueryExecutorWeaver(ClassVisitor next, String streamName) {
      super(Opcodes.ASM9, next);
      this.streamType = streamName + ";";
    }

    /** Whether a field or parameter of the class is such a stream. */
    boolean looksLikeDriver() {
      return looksLikeDriver;
    }

    void requireAny() {
      if (methods == 0) {
        throw new IllegalStateException(
            "the class throws no SQLException: this driver is not known");
      }
    }

    @Override
    public FieldVisitor visitField(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        @Nullable Object value) {
      looksLikeDriver |= descriptor.endsWith(streamType);
      return super.visitField(access, name, descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      looksLikeDriver |= descriptor.contains(streamType);
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isEntrance =
          (access & Opcodes.ACC_PUBLIC) != 0
              && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0
              && !name.equals("<init>")
              && exceptions != null
              && List.of(exceptions).contains(FAILURE);
      if (!isEntrance) {
        return method;
      }
      methods++;
      return new ExceptionTranslatingVisitor(method);
    }

    private static final class ExceptionTranslatingVisitor extends MethodVisitor {
      private static final int STACK = 2;

      private final Label start = new Label();
      private final Label end = new Label();

      ExceptionTranslatingVisitor(MethodVisitor next) {
        super(Opcodes.ASM9, next);
      }

      @Override
      public void visitCode() {
        super.visitCode();
        super.visitLabel(start);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        // The last handler, so that the method's own come first.
        super.visitLabel(end);
        super.visitTryCatchBlock(start, end, end, FAILURE);
        super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {FAILURE});
        super.visitInsn(Opcodes.DUP);
        super.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, FAILURE, "getSQLState", "()Ljava/lang/String;", false);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, DRIVER_HOOKS, "translate", TRANSLATE, false);
        super.visitInsn(Opcodes.ATHROW);
        super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
      }
    }
  }
}
