package io.portcullis.agent.hooks;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds application classes by name: first among the loaded classes of all loaders, then through
 * the class path and the context class loader of the main thread. Results are not cached, because
 * applications may be redeployed.
 */
public final class ApplicationClassLookup {
  private static final long MAIN_THREAD = 1;

  private final LoadedClassSource loaded;
  private final Predicate<@Nullable ClassLoader> foreign;

  /** Supplies all loaded classes. */
  @FunctionalInterface
  interface LoadedClassSource {
    Class<?>[] all();
  }

  ApplicationClassLookup(LoadedClassSource loaded, Predicate<@Nullable ClassLoader> foreign) {
    this.loaded = loaded;
    this.foreign = foreign;
  }

  /** Looks up classes of this JVM, except the agent's own. */
  public static ApplicationClassLookup of(Instrumentation instrumentation) {
    ClassLoader engine = ApplicationClassLookup.class.getClassLoader();
    return new ApplicationClassLookup(
        instrumentation::getAllLoadedClasses,
        loader -> loader == null || (loader != engine && loader.getParent() != engine));
  }

  /**
   * Returns the class with this binary name.
   *
   * @throws HookNotFoundException if no class or more than one class has this name
   */
  Class<?> find(String name) throws HookNotFoundException {
    List<Class<?>> found =
        Stream.of(loaded.all())
            .filter(type -> type.getName().equals(name))
            .filter(type -> foreign.test(type.getClassLoader()))
            .collect(Collectors.toCollection(ArrayList::new));
    if (found.size() > 1) {
      throw new HookNotFoundException(
          "the class "
              + name
              + " is loaded by "
              + found.size()
              + " class loaders, "
              + found.stream()
                  .map(type -> String.valueOf(type.getClassLoader()))
                  .collect(Collectors.joining(", "))
              + "; make sure that only one of them loads it");
    }
    return found.isEmpty() ? load(name) : found.get(0);
  }

  private static Class<?> load(String name) throws HookNotFoundException {
    List<ClassLoader> loaders = new ArrayList<>();
    loaders.add(ClassLoader.getSystemClassLoader());
    ClassLoader ofMain = contextLoaderOfMain();
    if (ofMain != null && !loaders.contains(ofMain)) {
      loaders.add(ofMain);
    }
    for (ClassLoader loader : loaders) {
      Class<?> type = tryLoad(name, loader);
      if (type != null) {
        return type;
      }
    }
    throw new HookNotFoundException(
        "the class "
            + name
            + " is not loaded, and it is neither on the class path nor in the main thread's context"
            + " class loader; check its name, or make the application load it earlier");
  }

  private static @Nullable Class<?> tryLoad(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) { // The next loader may find it.
      return null;
    }
  }

  /** The context class loader of the main thread; launchers like Spring Boot's set it. */
  private static @Nullable ClassLoader contextLoaderOfMain() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root != null && root.getParent() != null) {
      root = root.getParent();
    }
    if (root == null) {
      return null;
    }
    Thread[] threads = new Thread[root.activeCount() + 16];
    int count = root.enumerate(threads);
    for (int i = 0; i < count; i++) {
      if (isMain(threads[i])) {
        return threads[i].getContextClassLoader();
      }
    }
    return null;
  }

  @SuppressWarnings("deprecation") // Its replacement threadId() needs JDK 19.
  private static boolean isMain(Thread thread) {
    return thread.getId() == MAIN_THREAD;
  }

  /** Thrown if a hook method can't be found or called; the message names the cause and a fix. */
  static final class HookNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    HookNotFoundException(String why) {
      super(why);
    }
  }
}
