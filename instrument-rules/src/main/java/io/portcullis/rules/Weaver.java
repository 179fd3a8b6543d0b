package io.portcullis.rules;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gates the methods that the rules mean, as the JVM loads their classes. To be added with {@code
 * Instrumentation.addTransformer(weaver, true)}: the JVM then starts from the original class file
 * each time a class is woven again, so that no gate is ever doubled.
 *
 * <p>It is asked for every class of the JVM, on the thread that loads it. A class that no rule can
 * mean costs a look-up; Byte Buddy is first touched by one that a rule means. What is thrown here
 * would be ignored by the JVM and the class loaded ungated, so nothing is.
 *
 * <p>The JVM itself lets the module of a transformed class read the unnamed module of the bootstrap
 * loader, so that the gate is found from named modules too.
 */
public final class Weaver implements ClassFileTransformer {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final int BATCH = 64;

  /**
   * No JVM takes this for a class: what can be neither gated nor blocked must not be loaded. Kept
   * ready here, since it may be needed when nothing else can be had.
   */
  static final byte[] UNLOADABLE = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE};

  private final TypeFilter filter;
  private final WeaveFailures failures;
  private final Predicate<ClassLoader> ownLoader;

  /**
   * Makes a weaver.
   *
   * @param ownLoader tells the agent's own loaders, whose classes are never woven
   */
  public Weaver(RuleBook book, WeaveFailures failures, Predicate<ClassLoader> ownLoader) {
    this.filter = new TypeFilter(book.toWeave());
    this.failures = failures;
    this.ownLoader = ownLoader;
  }

  /** Deferred to the first class that is woven, with all of Byte Buddy behind it. */
  private static final class Looms {
    static final Loom LOOM = ByteBuddyStart.loom();
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null || loader == PLATFORM) {
      return null;
    }
    @Nullable List<InstalledRule> rules = null;
    try {
      String name = className == null ? ClassFileName.of(classFile) : className;
      if (name == null || !filter.mayMean(name) || isExempt(module, loader)) {
        return null;
      }
      rules = filter.meaning(name);
      return new ClassWeave(
              Looms.LOOM,
              failures,
              loader,
              name.replace('/', '.'),
              beingRedefined != null,
              classFile)
          .by(rules);
    } catch (Throwable e) {
      return afterCollapse(rules, className, beingRedefined != null, e);
    }
  }

  /**
   * Something broke that has no business to: Byte Buddy is missing, memory or stack ran out. The
   * class is kept from loading unless it is sure that no rule in force means it.
   */
  private byte @Nullable [] afterCollapse(
      @Nullable List<InstalledRule> rules,
      @Nullable String internalName,
      boolean loaded,
      Throwable cause) {
    if (rules == null) {
      return UNLOADABLE;
    }
    boolean shut = false;
    for (InstalledRule rule : rules) {
      try {
        shut |= !rule.rule().observe();
        tellFailed(rule, String.valueOf(internalName).replace('/', '.'), loaded, cause);
      } catch (Throwable e) {
        shut = true; // Nobody could be told, which makes it no safer to go on.
      }
    }
    return shut ? UNLOADABLE : null;
  }

  private void tellFailed(InstalledRule rule, String className, boolean loaded, Throwable cause) {
    ClassWeave.tellFailed(
        rule,
        failures,
        new WeaveFailure(rule.rule(), className, String.valueOf(cause), loaded, cause));
  }

  private boolean isExempt(@Nullable Module module, ClassLoader loader) {
    return isOfTheJdk(module) || ownLoader.test(loader);
  }

  /** Modules of the JDK that the application loader loads: compilers and other tools. */
  private static boolean isOfTheJdk(@Nullable Module module) {
    return module != null
        && module.isNamed()
        && module.getLayer() == ModuleLayer.boot()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }

  /**
   * Weaves the classes that were loaded before this weaver was added.
   *
   * @return how many classes the rules mean
   */
  public int weaveLoaded(Instrumentation instrumentation) {
    List<Class<?>> meant = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (isMeant(type)) {
        meant.add(type);
      }
    }
    for (int i = 0; i < meant.size(); i += BATCH) {
      weaveBatch(instrumentation, meant.subList(i, Math.min(i + BATCH, meant.size())));
    }
    return meant.size();
  }

  private boolean isMeant(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null
        && loader != PLATFORM
        && !type.isArray()
        && !type.isHidden()
        && filter.mayMean(type.getName().replace('.', '/'))
        && !isExempt(type.getModule(), loader);
  }

  /** One class that can't be woven fails its whole batch, so the others are then tried alone. */
  private void weaveBatch(Instrumentation instrumentation, List<Class<?>> batch) {
    try {
      instrumentation.retransformClasses(batch.toArray(new Class<?>[0]));
    } catch (Throwable e) {
      if (batch.size() > 1) {
        batch.forEach(type -> weaveBatch(instrumentation, List.of(type)));
        return;
      }
      Class<?> type = batch.get(0);
      filter
          .meaning(type.getName().replace('.', '/'))
          .forEach(rule -> tellFailed(rule, type.getName(), true, e));
    }
  }
}
