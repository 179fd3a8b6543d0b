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
 * Class file transformer that weaves the two classes of a Postgres driver that open connections and
 * throw exceptions.
 *
 * <p>A driver is recognized under any package, so that forks ({@code com.edb}, {@code
 * com.yugabyte}) and relocated copies are woven like the original. The end of the class name is
 * checked first, because the transformer is called for every class that the JVM loads; the content
 * of the class decides. A class that only has such a name is not changed. A class in which only
 * some of the required code is found can't be loaded and is reported.
 */
public final class DriverWeaver implements ClassFileTransformer {
  private static final String STREAM = "/core/PGStream";
  private static final String EXECUTOR = "/core/v3/QueryExecutorImpl";

  /** A class in such a package belongs to a driver, whatever its content. */
  private static final String ORIGINAL_PACKAGE = "postgresql";

  /** An invalid class file, returned so that the class can't be defined. */
  private static final byte[] UNLOADABLE = {0};

  private final Predicate<@Nullable ClassLoader> ownLoader;
  private final Consumer<DriverWeaveFailure> failures;

  /** Classes that were woven when they were loaded. */
  private final ClassNamesByLoader wovenOnLoad = new ClassNamesByLoader();

  /** Classes that were loaded unwoven and handled later, woven or reported. */
  private final ClassNamesByLoader handledLate = new ClassNamesByLoader();

  /** Classes with the name of a driver's class that are no driver classes. */
  private final ClassNamesByLoader unrelated = new ClassNamesByLoader();

  /** The error of the latest failed attempt to weave a class that is already loaded. */
  private volatile @Nullable Throwable lastFailure;

  /**
   * Creates a transformer. Add it to an {@link Instrumentation} with retransformation enabled.
   *
   * @param ownLoader matches the class loaders of the agent, whose drivers are not woven
   * @param failures receives each class that can't be woven, on the thread that loads it or that
   *     calls {@link #weaveLoaded}
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
        lastFailure = e; // The class stays unwoven; weaveLoaded() reports it.
      }
      return UNLOADABLE;
    }
  }

  /** Reads the class name from the class file, since loaders may define a class without a name. */
  private static @Nullable String nameIn(byte[] classFile) {
    try {
      return new ClassReader(classFile).getClassName();
    } catch (RuntimeException e) {
      return null; // The JVM can't parse it either.
    }
  }

  /**
   * Weaves driver classes that are loaded but did not pass through {@link #transform}. These were
   * loaded before the transformer was installed, or the JVM skipped transformers, which it does
   * when a thread's stack is almost exhausted and inside a transformer. Call this periodically,
   * with the transformer installed. Connections that such a driver opened before are closed by the
   * next message sent on them.
   *
   * @return the classes woven by this call
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
      return false; // Fast exit for nearly all of the thousands of classes.
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

  /** Returns the woven class file, null if the class does not belong to a driver. */
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

  /** Class names by loader; holds the loaders weakly. Thread-safe. */
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
   * A driver class that could not be woven.
   *
   * @param className internal name, with slashes
   * @param loaded true if the class was already loaded and stays in use unwoven; false if loading
   *     it was prevented
   */
  public record DriverWeaveFailure(
      String className, @Nullable ClassLoader loader, boolean loaded, Throwable why) {}

  /**
   * Passes every SQLException thrown by a public method of a class through {@link
   * io.portcullis.gate.DriverHooks}. Only public methods are woven, so that exception handlers
   * inside the class see the original exceptions.
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
     * Creates a visitor.
     *
     * @param streamName end of the internal name of the driver's stream class
     */
    QueryExecutorWeaver(ClassVisitor next, String streamName) {
      super(Opcodes.ASM9, next);
      this.streamType = streamName + ";";
    }

    /** Whether the class has a field, parameter or return type of the stream class. */
    boolean looksLikeDriver() {
      return looksLikeDriver;
    }

    void requireAny() {
      if (methods == 0) {
        throw new IllegalStateException(
            "no public method declares SQLException: this driver is not known");
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
      boolean throwsSqlException =
          (access & Opcodes.ACC_PUBLIC) != 0
              && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0
              && !name.equals("<init>")
              && exceptions != null
              && List.of(exceptions).contains(FAILURE);
      if (!throwsSqlException) {
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
        // Added last, so that the method's own handlers come first.
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
