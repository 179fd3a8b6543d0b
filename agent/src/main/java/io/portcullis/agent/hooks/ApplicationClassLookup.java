package io.portcullis.agent.hooks;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The application's classes by name, whichever of its loaders has them: one that is loaded already,
 * else one that its class path or the loader of its main thread has. Nothing is kept: applications
 * are redeployed.
 */
public final class ApplicationClassLookup {
  private static final long MAIN_THREAD = 1;

  private final LoadedClassSource loaded;
  private final Predicate<@Nullable ClassLoader> foreign;

  /** Where the classes that are loaded come from. */
  @FunctionalInterface
  interface LoadedClassSource {
    Class<?>[] all();
  }

  ApplicationClassLookup(LoadedClassSource loaded, Predicate<@Nullable ClassLoader> foreign) {
    this.loaded = loaded;
    this.foreign = foreign;
  }

  /** Those of this JVM, except the agent's own. */
  public static ApplicationClassLookup of(Instrumentation instrumentation) {
    ClassLoader engine = ApplicationClassLookup.class.getClassLoader();
    return new ApplicationClassLookup(
        instrumentation::getAllLoadedClasses,
        loader -> loader == null || (loader != engine && loader.getParent() != engine));
  }

  /** The class of this name. */
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
              + "; let only one of them have it");
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
            + " is not loaded, and neither the class path nor the main thread's loader has it;"
            + " check its name, or have the application load it before");
  }

  private static @Nullable Class<?> tryLoad(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) { // The next one may have it.
      return null;
    }
  }

  /** Where a launcher, such as Spring Boot's, puts the application's own loader. */
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

  @SuppressWarnings("deprecation") // Its successor is not in Java 17.
  private static boolean isMain(Thread thread) {
    return thread.getId() == MAIN_THREAD;
  }

  /** There is no such method to call; the message says why, and what would help. */
  static final class HookNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    HookNotFoundException(String why) {
      super(why);
    }
  }
}
