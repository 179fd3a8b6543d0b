package io.portcullis.rules.weave;

import io.portcullis.rules.classfile.ClassResources;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.filter.HierarchyFilter;
import io.portcullis.rules.filter.KnownTypes;
import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.filter.TypeFilter;
import io.portcullis.rules.filter.WeavableClasses;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import io.portcullis.rules.weave.Weaver.WeaveProgress;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Finds the loaded classes that must be woven, for the first time or again. */
final class LoadedClasses {
  private static final int BATCH = 64;

  /** Parts of the names of hidden classes that the JVM generates, such as those of lambdas. */
  private static final List<String> MADE_BY_THE_JDK =
      List.of("$$Lambda", "$$InjectedInvoker", "$$TypeSwitch", "$$StringConcat");

  private final List<InstalledRule> rules;
  private final TypeFilter filter;
  private final HierarchyFilter kin;
  private final KnownTypes known;
  private final WeavableClasses territory;
  private final WeaveFailures failures;

  LoadedClasses(
      List<InstalledRule> rules,
      TypeFilter filter,
      HierarchyFilter kin,
      KnownTypes known,
      WeavableClasses territory,
      WeaveFailures failures) {
    this.rules = rules;
    this.filter = filter;
    this.kin = kin;
    this.known = known;
    this.territory = territory;
    this.failures = failures;
  }

  /** Weaves the missed classes; returns their number. */
  int weave(Instrumentation instrumentation, WeaveProgress progress) {
    List<Class<?>> missed = new ArrayList<>();
    Class<?>[] all = instrumentation.getAllLoadedClasses();
    for (int i = 0; i < all.length; i++) {
      progress.checked(i, all.length);
      Class<?> type = all[i];
      if (type.isHidden()) {
        tellIfMeant(type);
      } else if (isMissed(type) && instrumentation.isModifiableClass(type)) {
        missed.add(type);
      }
    }
    inBatches(
        missed,
        batch -> {
          progress.checked(all.length, all.length);
          weaveBatch(instrumentation, batch);
        });
    return missed.size();
  }

  /**
   * Weaves all classes again that a rule has matched, with the weavers that are installed now. A
   * class that can't be woven again keeps its gates.
   */
  void unweave(Instrumentation instrumentation) {
    List<Class<?>> seen = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isHidden() && isSeen(type) && instrumentation.isModifiableClass(type)) {
        seen.add(type);
      }
    }
    inBatches(seen, batch -> unweaveBatch(instrumentation, batch));
  }

  private boolean isSeen(Class<?> type) {
    ClassLoader origin = WeavableClasses.origin(type.getModule(), type.getClassLoader());
    String name = type.getName();
    return origin != null && rules.stream().anyMatch(rule -> rule.hasSeen(origin, name));
  }

  private static void inBatches(List<Class<?>> types, Consumer<List<Class<?>>> work) {
    for (int i = 0; i < types.size(); i += BATCH) {
      work.accept(types.subList(i, Math.min(i + BATCH, types.size())));
    }
  }

  private static void unweaveBatch(Instrumentation instrumentation, List<Class<?>> batch) {
    try {
      instrumentation.retransformClasses(batch.toArray(new Class<?>[0]));
    } catch (UnmodifiableClassException | RuntimeException | Error e) {
      if (batch.size() > 1) {
        batch.forEach(type -> unweaveBatch(instrumentation, List.of(type)));
      }
    }
  }

  /** The JVM does not allow changes of hidden classes, so they can only be reported. */
  private void tellIfMeant(Class<?> hidden) {
    ClassLoader origin = WeavableClasses.origin(hidden.getModule(), hidden.getClassLoader());
    String name = hidden.getName();
    String givenName = name.substring(0, name.indexOf('/'));
    String internalName = givenName.replace('.', '/');
    if (origin == null || territory.isExempt(hidden.getModule(), origin, internalName)) {
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
    ClassLoader origin = WeavableClasses.origin(type.getModule(), type.getClassLoader());
    if (origin == null || type.isArray()) {
      return false;
    }
    String name = type.getName();
    String internalName = name.replace('.', '/');
    return (!kin.isEmpty() || filter.mayMean(internalName))
        && !territory.isExempt(type.getModule(), origin, internalName)
        && (isMissedByName(origin, name, internalName) || isMissedByKin(origin, type));
  }

  private boolean isMissedByName(ClassLoader origin, String name, String internalName) {
    return filter.mayMean(internalName)
        && !filter.meaning(internalName).stream().allMatch(rule -> rule.hasSeen(origin, name));
  }

  /**
   * Checks each class once after it was loaded, when its supertypes are known. Before that they are
   * derived from class files, which do not exist for generated supertypes.
   *
   * <p>A class that was not passed to the weaver is checked by its class file too. Retransforming
   * all of them to get their bytes from the JVM would cost about ten kilobytes of memory per class.
   */
  private boolean isMissedByKin(ClassLoader origin, Class<?> type) {
    if (kin.isEmpty() || ClassResources.isOfTheJdk(type.getName())) {
      return false; // The JDK generates accessor classes in its own loaders.
    }
    KnownType own = known.findOwn(origin, type.getName());
    if (own == null || own.head() == null) {
      return true;
    }
    if (own.isVerified()) {
      return false;
    }
    own.verified();
    boolean missed = false;
    for (InstalledRule rule : kin.meaning(own.head(), origin, type)) {
      if (!rule.hasSeen(origin, type.getName())) {
        missed = true;
        if (own.hasPassed()) {
          rule.note(
              ("%s is gated late: when it was loaded, the class file of a supertype was not found"
                      + " or differed from the loaded class")
                  .formatted(type.getName()));
        }
      }
    }
    return missed;
  }

  /** One class that can't be woven fails its whole batch, so the classes are then tried singly. */
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
    ClassLoader loader = WeavableClasses.loaderOf(type);
    Set<InstalledRule> meaning = new LinkedHashSet<>(filter.meaning(name.replace('.', '/')));
    meaning.addAll(kin.bySupertypesOf(type));
    for (InstalledRule rule : meaning) {
      if (rule.rule().match().annotation() == null) {
        ClassWeaving.tellFailed(
            rule,
            loader,
            failures,
            new WeaveFailure(rule.rule(), name, String.valueOf(cause), true, cause));
      }
    }
    for (InstalledRule rule : kin.all()) {
      if (rule.rule().match().annotation() != null) {
        rule.note("%s could not be checked: %s".formatted(name, cause));
      }
    }
    known.settle(loader, type);
  }
}
