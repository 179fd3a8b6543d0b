package io.portcullis.rules;

import io.portcullis.rules.match.ClassHead;
import io.portcullis.rules.match.ClassHeadReader;
import io.portcullis.rules.match.Types;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleFinder;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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

  /** In the names of hidden classes that nobody wrote: of lambdas, and of code like them. */
  private static final List<String> MADE_BY_THE_JDK =
      List.of("$$Lambda", "$$InjectedInvoker", "$$TypeSwitch", "$$StringConcat");

  private static final String OWN_PACKAGES = "io/portcullis/";

  /**
   * Stands for the bootstrap loader, which is null: finds the same resources, and is one object.
   */
  private static final ClassLoader BOOTSTRAP = new ClassLoader(null) {};

  /**
   * No JVM takes this for a class: what can be neither gated nor blocked must not be loaded. Kept
   * ready here, since it may be needed when nothing else can be had.
   */
  static final byte[] UNLOADABLE = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE};

  private final TypeFilter filter;
  private final KnownTypes known = new KnownTypes();
  private final KinFilter kin;
  private final boolean enforcing;
  private final WeaveFailures failures;
  private final Predicate<ClassLoader> ownLoader;

  /**
   * Makes a weaver.
   *
   * @param ownLoader tells the agent's own loaders, whose classes are never woven
   */
  public Weaver(RuleBook book, WeaveFailures failures, Predicate<ClassLoader> ownLoader) {
    List<InstalledRule> rules = book.toWeave();
    this.filter = new TypeFilter(rules);
    this.kin = new KinFilter(rules, known);
    this.enforcing = rules.stream().anyMatch(rule -> !rule.rule().observe());
    this.failures = failures;
    this.ownLoader = ownLoader;
    touch();
  }

  /**
   * Has all that is needed to pass over a class loaded before the first one comes: what a
   * transformer first loads while it is asked about a class may turn out to need that very class.
   */
  private void touch() {
    if (!kin.isEmpty()) {
      ClassHead head = Objects.requireNonNull(known.find(BOOTSTRAP, "java.util.ArrayList")).head;
      kin.meaning(Objects.requireNonNull(head), BOOTSTRAP);
      kin.meaning(head, BOOTSTRAP, ArrayList.class);
      known.findPassed(BOOTSTRAP, head.name());
    }
  }

  /** Deferred to the first class that is woven, with all of Byte Buddy behind it. */
  private static final class Looms {
    static final Loom LOOM = new Loom();
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    ClassLoader origin = origin(module, loader);
    if (origin == null) {
      return null;
    }
    @Nullable List<InstalledRule> rules = null;
    try {
      String name = className == null ? ClassFileName.of(classFile) : className;
      if (name == null || !mayMean(name) || isExempt(module, origin, name)) {
        return null;
      }
      rules = meaning(name, origin, beingRedefined, classFile);
      if (rules.isEmpty()) {
        return null;
      }
      return new ClassWeave(
              Looms.LOOM,
              failures,
              origin,
              name.replace('/', '.'),
              beingRedefined != null,
              classFile,
              types(origin, beingRedefined))
          .by(rules);
    } catch (Throwable e) {
      return afterCollapse(rules, origin, className, beingRedefined != null, e);
    }
  }

  /** Whether it takes a look at more than the name to know that no rule means a class. */
  private boolean mayMean(String internalName) {
    return !kin.isEmpty() || filter.mayMean(internalName);
  }

  private Types types(ClassLoader loader, @Nullable Class<?> loaded) {
    return loaded == null ? new SeenTypes(loader, known) : new LoadedTypes(loaded, loader, known);
  }

  /** In the order of the rules, which is that of their slots: the first is the outermost gate. */
  private List<InstalledRule> meaning(
      String internalName, ClassLoader loader, @Nullable Class<?> loaded, byte[] classFile) {
    List<InstalledRule> byName =
        filter.mayMean(internalName) ? filter.meaning(internalName) : List.of();
    List<InstalledRule> byKin = kin.isEmpty() ? List.of() : byKin(loader, loaded, classFile);
    if (byKin.isEmpty()) {
      return byName;
    }
    List<InstalledRule> all = new ArrayList<>(byName);
    all.addAll(byKin);
    all.sort(Comparator.comparingInt(InstalledRule::slot));
    return all;
  }

  /**
   * A class file that can't be read is left to the JVM, which will refuse it. If it does not, the
   * class is found again among those loaded, and then it is a weave error.
   */
  private List<InstalledRule> byKin(
      ClassLoader loader, @Nullable Class<?> loaded, byte[] classFile) {
    ClassHead head;
    try {
      head = ClassHeadReader.read(classFile);
    } catch (IllegalArgumentException e) {
      if (loaded == null) {
        return List.of();
      }
      settle(loader, loaded);
      return kin.all();
    }
    if (loaded == null) {
      List<InstalledRule> rules = kin.meaning(head, loader);
      known.passed(loader, head);
      return rules;
    }
    known.passed(loader, head).verified = true;
    return kin.meaning(head, loader, loaded);
  }

  /**
   * Something broke that has no business to: Byte Buddy is missing, memory or stack ran out. The
   * class is kept from loading unless it is sure that no rule in force means it.
   */
  private byte @Nullable [] afterCollapse(
      @Nullable List<InstalledRule> rules,
      ClassLoader loader,
      @Nullable String internalName,
      boolean loaded,
      Throwable cause) {
    if (rules == null) {
      return enforcing ? UNLOADABLE : null;
    }
    boolean shut = false;
    for (InstalledRule rule : rules) {
      try {
        shut |= !rule.rule().observe();
        tellFailed(rule, loader, String.valueOf(internalName).replace('/', '.'), loaded, cause);
      } catch (Throwable e) {
        shut = true; // Nobody could be told, which makes it no safer to go on.
      }
    }
    return shut ? UNLOADABLE : null;
  }

  private void tellFailed(
      InstalledRule rule, ClassLoader loader, String className, boolean loaded, Throwable cause) {
    ClassWeave.tellFailed(
        rule,
        loader,
        failures,
        new WeaveFailure(rule.rule(), className, String.valueOf(cause), loaded, cause));
  }

  /**
   * The loader, or what stands for it; null if none of its classes in this module is ever woven. On
   * the bootstrap loader the unnamed module alone is not the JDK's: the application can add to it,
   * as the agent does with the gate.
   */
  private static @Nullable ClassLoader origin(
      @Nullable Module module, @Nullable ClassLoader loader) {
    if (loader != null) {
      return loader == PLATFORM ? null : loader;
    }
    return module == null || module.isNamed() ? null : BOOTSTRAP;
  }

  /** The loader that defined a class, or what stands for it. */
  static ClassLoader loaderOf(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null ? BOOTSTRAP : loader;
  }

  private boolean isExempt(@Nullable Module module, ClassLoader origin, String internalName) {
    return origin == BOOTSTRAP
        ? internalName.startsWith(OWN_PACKAGES)
        : isOfTheJdk(module) || ownLoader.test(origin);
  }

  /**
   * Modules of the JDK that the application loader loads: compilers and other tools. All have names
   * that begin with {@code jdk.}, but the name alone proves nothing: an application's jar may have
   * such a name too. Nor does it prove anything to be a part of the run-time image, where an
   * application that was linked into it is as well.
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

  /**
   * Weaves the classes that are loaded and have not come past this weaver: those from before it was
   * added, and those for which the JVM left it out.
   *
   * <p>The JVM does leave it out in two cases. Where a class is loaded at the very end of a
   * thread's stack, the call of a transformer fails before it begins. And where a transformer
   * itself makes a thread load a class, no transformer is asked about that one: a rule with an
   * exception of the application's has this weaver ask the application's loader for class files,
   * and whatever class that loader needs for the first time to find them is such a one. Either
   * class is loaded as it is. So this is to be called again from time to time (the agent does so
   * every two seconds), on a thread with room to spare. A call that finds nothing changes nothing.
   *
   * <p>Hidden classes that a rule means can't be woven; the rule's listener is told of the first.
   *
   * @return how many classes had to be woven
   */
  public int weaveLoaded(Instrumentation instrumentation) {
    List<Class<?>> missed = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.isHidden()) {
        tellIfMeant(type);
      } else if (isMissed(type) && instrumentation.isModifiableClass(type)) {
        missed.add(type);
      }
    }
    for (int i = 0; i < missed.size(); i += BATCH) {
      weaveBatch(instrumentation, missed.subList(i, Math.min(i + BATCH, missed.size())));
    }
    return missed.size();
  }

  /** The JVM lets nobody change hidden classes, so all that is left is to tell. */
  private void tellIfMeant(Class<?> hidden) {
    ClassLoader origin = origin(hidden.getModule(), hidden.getClassLoader());
    String name = hidden.getName();
    String givenName = name.substring(0, name.indexOf('/'));
    String internalName = givenName.replace('.', '/');
    if (origin == null || isExempt(hidden.getModule(), origin, internalName)) {
      return;
    }
    if (filter.mayMean(internalName) && MADE_BY_THE_JDK.stream().noneMatch(givenName::contains)) {
      filter.meaning(internalName).forEach(rule -> rule.hiddenFound(givenName));
    }
    for (InstalledRule rule : kin.bySupertypesOf(hidden)) {
      if (rule.rule().match().annotation() == null) {
        rule.hiddenFound(givenName);
      }
    }
  }

  private boolean isMissed(Class<?> type) {
    ClassLoader origin = origin(type.getModule(), type.getClassLoader());
    if (origin == null || type.isArray()) {
      return false;
    }
    String name = type.getName();
    String internalName = name.replace('.', '/');
    return mayMean(internalName)
        && !isExempt(type.getModule(), origin, internalName)
        && (isMissedByName(origin, name, internalName) || isMissedByKin(origin, type));
  }

  private boolean isMissedByName(ClassLoader origin, String name, String internalName) {
    return filter.mayMean(internalName)
        && !filter.meaning(internalName).stream().allMatch(rule -> rule.hasSeen(origin, name));
  }

  /**
   * Looks at each class once after it was loaded, when its supertypes are settled. Before, they had
   * to be guessed by class files, and those of generated parents are nowhere to be found.
   */
  private boolean isMissedByKin(ClassLoader origin, Class<?> type) {
    if (kin.isEmpty()) {
      return false;
    }
    KnownType passed = known.findPassed(origin, type.getName());
    if (passed == null || passed.head == null) {
      return true;
    }
    if (passed.verified) {
      return false;
    }
    passed.verified = true;
    boolean missed = false;
    for (InstalledRule rule : kin.meaning(passed.head, origin, type)) {
      if (!rule.hasSeen(origin, type.getName())) {
        missed = true;
        rule.note(
            ("%s is gated late: when it was loaded, the class file of a parent was not to be found,"
                    + " or told another story")
                .formatted(type.getName()));
      }
    }
    return missed;
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
      tellUnwoven(batch.get(0), e);
    }
  }

  private void tellUnwoven(Class<?> type, Throwable cause) {
    String name = type.getName();
    ClassLoader loader = loaderOf(type);
    Set<InstalledRule> meaning = new LinkedHashSet<>(filter.meaning(name.replace('.', '/')));
    meaning.addAll(kin.bySupertypesOf(type));
    for (InstalledRule rule : meaning) {
      if (rule.rule().match().annotation() == null) {
        tellFailed(rule, loader, name, true, cause);
      }
    }
    for (InstalledRule rule : kin.all()) {
      if (rule.rule().match().annotation() != null) {
        rule.note("%s could not be looked at: %s".formatted(name, cause));
      }
    }
    settle(loader, type);
  }

  /** Nothing more will be found out about this class. */
  private void settle(ClassLoader loader, Class<?> type) {
    known.passed(
                loader,
                new ClassHead(
                    type.getModifiers(), type.getName(), null, List.of(), Set.of(), Set.of()))
            .verified =
        true;
  }
}
