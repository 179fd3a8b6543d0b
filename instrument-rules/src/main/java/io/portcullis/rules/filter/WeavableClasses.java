package io.portcullis.rules.filter;

import java.lang.module.ModuleFinder;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides which classes may be woven: neither the JDK's nor the agent's own. */
public final class WeavableClasses {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final String OWN_PACKAGES = "io/portcullis/";

  /**
   * Placeholder for the bootstrap loader, which is null: finds the same resources, and is one
   * object.
   */
  public static final ClassLoader BOOTSTRAP = new ClassLoader(null) {};

  private final Predicate<ClassLoader> ownLoader;

  /**
   * Creates the filter.
   *
   * @param ownLoader matches the agent's own loaders
   */
  public WeavableClasses(Predicate<ClassLoader> ownLoader) {
    this.ownLoader = ownLoader;
  }

  /**
   * The loader, or its placeholder; null if none of its classes in this module is ever woven. On
   * the bootstrap loader the unnamed module alone is not the JDK's: the application can add to it,
   * as the agent does with the gate.
   */
  public static @Nullable ClassLoader origin(
      @Nullable Module module, @Nullable ClassLoader loader) {
    if (loader != null) {
      return loader == PLATFORM ? null : loader;
    }
    return module == null || module.isNamed() ? null : BOOTSTRAP;
  }

  /** The loader that defined a class, or its placeholder. */
  public static ClassLoader loaderOf(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null ? BOOTSTRAP : loader;
  }

  public boolean isExempt(@Nullable Module module, ClassLoader origin, String internalName) {
    return origin == BOOTSTRAP
        ? internalName.startsWith(OWN_PACKAGES)
        : isOfTheJdk(module) || ownLoader.test(origin);
  }

  /**
   * Modules of the JDK that the application loader loads: compilers and other tools. All have names
   * that begin with {@code jdk.}, but the name alone proves nothing: an application's jar may have
   * such a name too. Being part of the run-time image proves nothing either, since linked
   * applications are part of it too.
   */
  private static boolean isOfTheJdk(@Nullable Module module) {
    return module != null
        && module.isNamed()
        && module.getLayer() == ModuleLayer.boot()
        && module.getName().startsWith("jdk.")
        && SystemModules.NAMES.contains(module.getName());
  }

  /** Deferred, since few JVMs ever need them. */
  private static final class SystemModules {
    static final Set<String> NAMES =
        ModuleFinder.ofSystem().findAll().stream()
            .map(module -> module.descriptor().name())
            .collect(Collectors.toUnmodifiableSet());
  }
}
