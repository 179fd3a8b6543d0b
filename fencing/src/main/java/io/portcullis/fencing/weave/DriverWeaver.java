package io.portcullis.fencing.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import org.jspecify.annotations.Nullable;

/** Weaves the two classes of a Postgres driver by which it makes connections and throws. */
public final class DriverWeaver implements ClassFileTransformer {
  private static final String STREAM = "postgresql/core/PGStream";
  private static final String EXECUTOR = "postgresql/core/v3/QueryExecutorImpl";

  /** No class file: whoever defines a class by it fails. */
  private static final byte[] UNLOADABLE = {0};

  private final Predicate<@Nullable ClassLoader> ownLoader;
  private final Consumer<UnwovenDriver> failures;

  /**
   * To be added to an {@link Instrumentation} as one that can retransform.
   *
   * @param ownLoader tells the loaders whose drivers are the agent's own
   * @param failures is told, on the thread that loads it, of each class that can't be woven
   */
  public DriverWeaver(
      Predicate<@Nullable ClassLoader> ownLoader, Consumer<UnwovenDriver> failures) {
    this.ownLoader = ownLoader;
    this.failures = failures;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> classBeingRedefined,
      @Nullable ProtectionDomain protectionDomain,
      byte[] classFile) {
    if (className == null || !isDriver(className) || ownLoader.test(loader)) {
      return null;
    }
    try {
      return weave(className, classFile);
    } catch (Throwable e) {
      failures.accept(new UnwovenDriver(className, loader, e));
      return UNLOADABLE;
    }
  }

  /** The classes of drivers that were loaded before, to be retransformed. */
  public List<Class<?>> loadedDrivers(Instrumentation instrumentation) {
    List<Class<?>> drivers = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (isDriver(type.getName().replace('.', '/')) && !ownLoader.test(type.getClassLoader())) {
        drivers.add(type);
      }
    }
    return drivers;
  }

  /**
   * Weaves the drivers that were loaded before, once this is among the transformers.
   *
   * @throws UnmodifiableClassException if one of them can't be woven any more
   */
  public void weaveLoaded(Instrumentation instrumentation) throws UnmodifiableClassException {
    List<Class<?>> loaded = loadedDrivers(instrumentation);
    if (!loaded.isEmpty()) {
      instrumentation.retransformClasses(loaded.toArray(Class<?>[]::new));
    }
  }

  /** Also of a driver that was packed under another name. */
  private static boolean isDriver(String className) {
    return className.endsWith(STREAM) || className.endsWith(EXECUTOR);
  }

  private static byte[] weave(String className, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    if (className.endsWith(STREAM)) {
      StreamWeave weave = new StreamWeave(writer);
      reader.accept(weave, 0);
      weave.requireBoth();
    } else {
      ExecutorWeave weave = new ExecutorWeave(writer);
      reader.accept(weave, 0);
      weave.requireAny();
    }
    return writer.toByteArray();
  }
}
