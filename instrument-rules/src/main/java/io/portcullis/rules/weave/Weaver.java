package io.portcullis.rules.weave;

import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.filter.HierarchyFilter;
import io.portcullis.rules.filter.KnownTypes;
import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.filter.KnownTypes.LoaderTypes;
import io.portcullis.rules.filter.LoadedTypes;
import io.portcullis.rules.filter.TypeFilter;
import io.portcullis.rules.filter.WeavableClasses;
import io.portcullis.rules.match.ClassHeaderReader;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import io.portcullis.rules.weave.WeaveFailures.WeaveFailure;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gates the methods that the rules match, as the JVM loads their classes. Add it with {@code
 * Instrumentation.addTransformer(weaver, true)}: the JVM then starts from the original class file
 * each time a class is woven again, so that no gate is ever doubled.
 *
 * <p>The JVM calls it for every class, on the thread that loads it. A class that no rule can match
 * costs a look-up; ASM is first loaded for a class that a rule matches. The JVM would ignore an
 * exception from here and load the class ungated, so none is thrown.
 *
 * <p>The JVM itself lets the module of a transformed class read the unnamed module of the bootstrap
 * loader, so that the gate is found from named modules too.
 */
public final class Weaver implements ClassFileTransformer {
  /**
   * No JVM accepts this as a class: a class that can be neither gated nor blocked must not be
   * loaded. Allocated in advance, because it may be needed when memory has run out.
   */
  static final byte[] UNLOADABLE = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE};

  private final TypeFilter filter;
  private final KnownTypes known;
  private final HierarchyFilter kin;
  private final boolean enforcing;
  private final WeaveFailures failures;
  private final WeavableClasses territory;
  private final LoadedClasses loaded;
  private final Map<InstalledRule, Integer> order = new HashMap<>();
  private final List<InstalledRule> canaries;
  private volatile boolean copies;

  /**
   * Creates a weaver.
   *
   * @param ownLoader matches the agent's own loaders, whose classes are never woven
   */
  public Weaver(InstalledRules book, WeaveFailures failures, Predicate<ClassLoader> ownLoader) {
    this(book, failures, ownLoader, new KnownTypes());
  }

  private Weaver(
      InstalledRules book,
      WeaveFailures failures,
      Predicate<ClassLoader> ownLoader,
      KnownTypes known) {
    List<InstalledRule> rules = book.toWeave();
    this.known = known;
    rules.forEach(rule -> order.put(rule, order.size()));
    this.canaries = book.canary().rules();
    this.filter = new TypeFilter(rules);
    this.kin = new HierarchyFilter(rules, known);
    this.enforcing =
        rules.stream().anyMatch(rule -> !rule.rule().observe() && !canaries.contains(rule));
    this.failures = failures;
    this.territory = new WeavableClasses(ownLoader);
    this.loaded = new LoadedClasses(rules, filter, kin, known, territory, failures);
    touch();
  }

  /**
   * Creates a weaver for other rules, which does not read the class files again that this one has
   * read.
   */
  public Weaver successor(
      InstalledRules book, WeaveFailures failures, Predicate<ClassLoader> ownLoader) {
    return new Weaver(book, failures, ownLoader, new KnownTypes(known));
  }

  /**
   * Preloads all classes needed to check a class. A class that a transformer first loads while it
   * handles another class might depend on that very class.
   */
  private void touch() {
    KnownType any =
        kin.isEmpty() ? null : known.find(WeavableClasses.BOOTSTRAP, ArrayList.class.getName());
    if (any != null && any.head() != null) {
      kin.meaning(any.head(), WeavableClasses.BOOTSTRAP);
      kin.meaning(any.head(), WeavableClasses.BOOTSTRAP, ArrayList.class);
      known.findPassed(WeavableClasses.BOOTSTRAP, any.head().name());
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    ClassLoader origin = WeavableClasses.origin(module, loader);
    if (origin == null) {
      return null;
    }
    @Nullable List<InstalledRule> rules = null;
    try {
      String name = className == null ? ClassFileName.of(classFile) : className;
      if (name == null || !mayMean(name) || territory.isExempt(module, origin, name)) {
        return null;
      }
      rules = meaning(name, origin, beingRedefined, classFile);
      if (rules.isEmpty()) {
        return null;
      }
      ClassWeaving weave =
          new ClassWeaving(
              failures,
              origin,
              name.replace('/', '.'),
              beingRedefined != null,
              classFile,
              types(origin, beingRedefined));
      byte[] woven = weave.by(rules);
      copies |= weave.hasCopied() && !canaries.containsAll(rules);
      return woven;
    } catch (Throwable e) {
      return afterCollapse(rules, origin, className, beingRedefined != null, e);
    }
  }

  /** Whether more than the name of a class is needed to decide that no rule matches it. */
  private boolean mayMean(String internalName) {
    return !kin.isEmpty() || filter.mayMean(internalName);
  }

  private TypeLookup types(ClassLoader loader, @Nullable Class<?> loaded) {
    return loaded == null ? new LoaderTypes(loader, known) : new LoadedTypes(loaded, loader, known);
  }

  /** The matching rules in order: the first is the outermost gate. */
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
    all.sort(Comparator.comparing(order::get));
    return all;
  }

  /**
   * A class file that can't be read is left to the JVM, which refuses it. If it does not, {@link
   * #weaveLoaded} finds the loaded class and reports a weave error.
   */
  private List<InstalledRule> byKin(
      ClassLoader loader, @Nullable Class<?> loaded, byte[] classFile) {
    ClassHeader head;
    try {
      head = ClassHeaderReader.read(classFile);
    } catch (IllegalArgumentException e) {
      if (loaded == null) {
        return List.of();
      }
      known.settle(loader, loaded);
      return kin.all();
    }
    if (loaded == null) {
      List<InstalledRule> rules = kin.meaning(head, loader);
      known.passed(loader, head);
      return rules;
    }
    known.passed(loader, head).verified();
    return kin.meaning(head, loader, loaded);
  }

  /**
   * Handles an unexpected failure: Byte Buddy is missing, memory or stack ran out. The class is
   * kept from loading unless it is certain that no rule in force matches it.
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
        boolean grave =
            tellFailed(rule, loader, String.valueOf(internalName).replace('/', '.'), loaded, cause);
        shut |= grave && !rule.rule().observe();
      } catch (Throwable e) {
        shut = true; // The failure could not be reported, so going on is no safer.
      }
    }
    return shut ? UNLOADABLE : null;
  }

  private boolean tellFailed(
      InstalledRule rule, ClassLoader loader, String className, boolean loaded, Throwable cause) {
    return ClassWeaving.tellFailed(
        rule,
        loader,
        failures,
        new WeaveFailure(rule.rule(), className, String.valueOf(cause), loaded, cause));
  }

  /** Whether the {@link AdviceWeaver} has woven any gate so far. */
  public boolean hasCopied() {
    return copies;
  }

  /**
   * Weaves loaded classes that were not passed to this weaver: classes loaded before it was added,
   * and classes for which the JVM skipped it.
   *
   * <p>The JVM skips it in two cases. If a class is loaded when a thread's stack is almost
   * exhausted, the call of a transformer fails before it starts. And if a transformer itself causes
   * a thread to load a class, no transformer is called for that class: rules by subtype, by
   * annotation or with an exception class of the application make this weaver ask the application's
   * loader for class files, and a class that the loader first needs to find them is such a class.
   * Both are loaded unwoven. Call this method periodically (the agent does so every two seconds),
   * on a thread with sufficient stack. If nothing was missed, it changes nothing.
   *
   * <p>For rules by subtype, each class is checked once more with its real supertypes, which class
   * files may not have shown; one that turns out to match is woven now, and the rule reports it.
   *
   * <p>Hidden classes that a rule matches can't be woven; the rule's listener is notified of the
   * first. Lambdas are among them, for rules by subtype.
   *
   * @return the number of classes that were woven or checked again
   */
  public int weaveLoaded(Instrumentation instrumentation) {
    return weaveLoaded(instrumentation, WeaveProgress.NONE);
  }

  /**
   * Weaves like {@link #weaveLoaded(Instrumentation)}, and reports its progress.
   *
   * @param progress may throw an exception to stop; the classes woven so far stay woven
   */
  public int weaveLoaded(Instrumentation instrumentation, WeaveProgress progress) {
    return loaded.weave(instrumentation, progress);
  }

  /**
   * Weaves the classes that this weaver has handled again. Call it after the weaver was removed
   * from the {@code Instrumentation}: this removes its gates, those of other weavers stay.
   */
  public void unweaveLoaded(Instrumentation instrumentation) {
    loaded.unweave(instrumentation);
  }

  /** Receives the progress of {@link #weaveLoaded(Instrumentation, WeaveProgress)}. */
  @FunctionalInterface
  public interface WeaveProgress {
    WeaveProgress NONE = (done, all) -> {};

    /** Called often: before each class is checked, and before each batch is woven. */
    void checked(int done, int all);
  }

  /**
   * Reads the internal name from a class file. Needed if a loader defines a class without a name,
   * which the JVM allows and which must not bypass the gate.
   */
  static final class ClassFileName {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private ClassFileName() {}

    /** Returns null if this is not a class file; the JVM reports that itself. */
    static @Nullable String of(byte[] classFile) {
      try {
        return read(new DataInputStream(new ByteArrayInputStream(classFile)));
      } catch (IOException | ArrayIndexOutOfBoundsException malformed) {
        return null;
      }
    }

    private static @Nullable String read(DataInputStream in) throws IOException {
      in.readInt(); // The magic number.
      in.readInt(); // The version.
      int size = in.readUnsignedShort();
      String[] names = new String[size];
      int[] nameOfClass = new int[size];
      for (int i = 1; i < size; i++) {
        int tag = in.readUnsignedByte();
        switch (tag) {
          case UTF8 -> names[i] = in.readUTF();
          case CLASS -> nameOfClass[i] = in.readUnsignedShort();
          case STRING, METHOD_TYPE, MODULE, PACKAGE -> in.readUnsignedShort();
          case METHOD_HANDLE -> in.skipNBytes(3);
          case LONG, DOUBLE -> {
            in.readLong();
            i++;
          }
          default -> in.readInt();
        }
      }
      in.readUnsignedShort(); // The access flags.
      return names[nameOfClass[in.readUnsignedShort()]];
    }
  }
}
