package io.portcullis.rules;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Defines the sample classes anew, as an application's loader would; records which classes it was
 * asked for.
 */
public final class SampleClassLoader extends ClassLoader {
  public static final String SAMPLES = "io.portcullis.rules.sample.";

  public final ConcurrentLinkedQueue<String> resourcesAsked = new ConcurrentLinkedQueue<>();

  private final UnaryOperator<byte[]> change;

  static {
    registerAsParallelCapable();
  }

  public SampleClassLoader() {
    this(UnaryOperator.identity());
  }

  public SampleClassLoader(UnaryOperator<byte[]> change) {
    super(SampleClassLoader.class.getClassLoader());
    this.change = change;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(SAMPLES)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] classFile = change.apply(classFile(name));
      return defineClass(name, classFile, 0, classFile.length);
    }
  }

  public Class<?> define(@Nullable String name, byte[] classFile) {
    return defineClass(name, classFile, 0, classFile.length);
  }

  @Override
  public @Nullable URL getResource(String name) {
    resourcesAsked.add(name);
    return super.getResource(name);
  }

  public boolean hasLoaded(String simpleName) {
    return findLoadedClass(SAMPLES + simpleName) != null;
  }

  public static byte[] classFile(String name) throws ClassNotFoundException {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = SampleClassLoader.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Loads a sample and creates an instance of it. */
  public Sample sample(String simpleName) throws ReflectiveOperationException {
    Class<?> type = loadClass(SAMPLES + simpleName);
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return new Sample(type, constructor.newInstance());
  }

  /** An instance whose methods can be called by name. */
  public record Sample(Class<?> type, Object instance) {
    public CompletableFuture<?> future(String method, Object... arguments) throws Throwable {
      Object answer = Objects.requireNonNull(call(method, arguments));
      return ((CompletionStage<?>) answer).toCompletableFuture();
    }

    public @Nullable Object call(String method, Object... arguments) throws Throwable {
      for (var candidate : type.getDeclaredMethods()) {
        if (candidate.getName().equals(method)
            && !candidate.isBridge()
            && candidate.getParameterCount() == arguments.length) {
          candidate.setAccessible(true);
          try {
            return candidate.invoke(instance, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        }
      }
      throw new NoSuchMethodException(List.of(method) + " of " + type);
    }
  }
}
