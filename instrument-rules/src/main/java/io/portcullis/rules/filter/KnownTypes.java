package io.portcullis.rules.filter;

import io.portcullis.rules.classfile.ClassFileTypes;
import io.portcullis.rules.classfile.ClassResources;
import io.portcullis.rules.classfile.ClassShapeReader;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.match.ClassHeaderReader;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Cache of type headers for each loader, filled from the classes that the weaver has seen and from
 * class files that the loader was asked for. No class is loaded for it.
 *
 * <p>Loaders are held weakly, and their entries are collected with them. There is an entry for each
 * class that a loader defined and for each supertype or annotation of one; so the size is bounded
 * by the classes loaded, and small compared with what the JVM itself keeps for each.
 */
public final class KnownTypes {
  private final Map<LoaderKey, Map<String, KnownType>> byLoader = new ConcurrentHashMap<>();
  private final Map<String, KnownType> ofTheJdk = new ConcurrentHashMap<>();
  private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();

  /** Creates an empty cache. */
  public KnownTypes() {}

  /**
   * Creates a cache with the headers that another one has read, so that they are not read again. No
   * class counts as checked: that depends on the rules. Classes that the other cache gave up are
   * left out.
   */
  public KnownTypes(KnownTypes earlier) {
    earlier.byLoader.forEach(
        (key, types) -> {
          ClassLoader loader = key.get();
          if (loader != null) {
            copy(types, of(loader));
          }
        });
    copy(earlier.ofTheJdk, ofTheJdk);
  }

  private static void copy(Map<String, KnownType> from, Map<String, KnownType> to) {
    from.forEach(
        (name, type) -> {
          if (type.head != null && type.source != KnownType.HeaderSource.SETTLED) {
            to.put(name, new KnownType(type.head, type.source, true));
          }
        });
  }

  /** Stores the header of a class that its loader defines or has defined. */
  public KnownType passed(ClassLoader loader, ClassHeader head) {
    return put(loader, new KnownType(head, KnownType.HeaderSource.PASSED, false), head.name());
  }

  private KnownType put(ClassLoader loader, KnownType type, String name) {
    of(loader).put(name, type);
    return type;
  }

  /** Takes a loaded class as settled, since nothing more will be found out about it. */
  public void settle(ClassLoader loader, Class<?> type) {
    ClassHeader head =
        new ClassHeader(type.getModifiers(), type.getName(), null, List.of(), Set.of(), Set.of());
    put(loader, new KnownType(head, KnownType.HeaderSource.SETTLED, false), head.name()).verified();
  }

  /** A class that has passed; null if it has not. */
  public @Nullable KnownType findPassed(ClassLoader loader, String name) {
    Map<String, KnownType> types = byLoader.get(new LoaderKey(loader, null));
    KnownType type = types == null ? null : types.get(name);
    return type == null || !type.isDefined() ? null : type;
  }

  /**
   * A class that the loader has defined, as it passed, or else by its class file. Null if that is
   * not to be found.
   */
  public @Nullable KnownType findOwn(ClassLoader loader, String name) {
    Map<String, KnownType> types = of(loader);
    KnownType type = types.get(name);
    return type == null ? readInto(types, loader, name) : type;
  }

  /**
   * A type as the loader sees it: a class that it defined, or what it finds a class file for.
   * Failing that, a class that another loader defined, parents first: it was generated, or is found
   * by ways of the loader's own. Null if nothing is known.
   */
  public @Nullable KnownType find(ClassLoader loader, String name) {
    Map<String, KnownType> types = ClassResources.isOfTheJdk(name) ? ofTheJdk : of(loader);
    KnownType type = types.get(name);
    if (type == null) {
      type = readInto(types, loader, name);
    }
    return type == null || type.head == null ? definedElsewhere(loader, name) : type;
  }

  private static @Nullable KnownType readInto(
      Map<String, KnownType> types, ClassLoader loader, String name) {
    KnownType type = read(loader, name);
    KnownType sooner = type == null ? null : types.putIfAbsent(name, type);
    return sooner == null ? type : sooner;
  }

  /** Null if it could not be found out this time. */
  private static @Nullable KnownType read(ClassLoader loader, String name) {
    try {
      byte[] file = ClassResources.find(loader, name);
      ClassHeader head = file == null ? null : ClassHeaderReader.read(file);
      return new KnownType(head, KnownType.HeaderSource.CLASS_FILE, false);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  private @Nullable KnownType definedElsewhere(ClassLoader loader, String name) {
    for (ClassLoader parent = loader.getParent(); parent != null; parent = parent.getParent()) {
      KnownType type = findPassed(parent, name);
      if (type != null) {
        return type;
      }
    }
    for (Map<String, KnownType> types : byLoader.values()) {
      KnownType type = types.get(name);
      if (type != null && type.isDefined()) {
        return type;
      }
    }
    return null;
  }

  private Map<String, KnownType> of(ClassLoader loader) {
    Map<String, KnownType> known = byLoader.get(new LoaderKey(loader, null));
    if (known != null) {
      return known;
    }
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      byLoader.remove(key);
    }
    Map<String, KnownType> fresh = new ConcurrentHashMap<>();
    Map<String, KnownType> sooner = byLoader.putIfAbsent(new LoaderKey(loader, gone), fresh);
    return sooner == null ? fresh : sooner;
  }

  /** Weak key of a loader, compared by identity because a loader may override equals. */
  private static final class LoaderKey extends WeakReference<ClassLoader> {
    private final int hash;

    LoaderKey(ClassLoader loader, @Nullable ReferenceQueue<ClassLoader> queue) {
      super(loader, queue);
      hash = System.identityHashCode(loader);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      ClassLoader mine = get();
      return other instanceof LoaderKey that && mine != null && that.refersTo(mine);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * A type as one loader sees it, and the rules that it concerns, worked out once. Threads that
   * work it out at the same time come to the same result.
   */
  public static final class KnownType {
    final @Nullable ClassHeader head;

    private final HeaderSource source;
    private final boolean copied;

    private volatile boolean verified;

    /** Rules that match its subtypes. */
    volatile @Nullable List<InstalledRule> ofSubtypes;

    /** Rules by annotation that match its subclasses through an inherited annotation. */
    volatile @Nullable List<InstalledRule> ofSubclasses;

    /** Of an annotation type: rules that match annotated types and methods. */
    volatile @Nullable List<InstalledRule> ofCarriers;

    private KnownType(@Nullable ClassHeader head, HeaderSource source, boolean copied) {
      this.head = head;
      this.source = source;
      this.copied = copied;
    }

    /** Null if the loader has no class file for it. */
    public @Nullable ClassHeader head() {
      return head;
    }

    /** Whether it is a class that this loader defined before the weaver's eyes. */
    public boolean hasPassed() {
      return isDefined() && !copied;
    }

    /** Whether it is a class that this loader is known to have defined. */
    private boolean isDefined() {
      return source != HeaderSource.CLASS_FILE;
    }

    /** Of a class: whether it has been checked with its real supertypes. */
    public boolean isVerified() {
      return verified;
    }

    /** Records that it has been checked with its real supertypes. */
    public void verified() {
      verified = true;
    }

    private enum HeaderSource {
      /** The weaver has seen the class as its loader defined it. */
      PASSED,
      /** The loader was asked for the class file. */
      CLASS_FILE,
      /** A loaded class of which nothing more will be found out. */
      SETTLED
    }
  }

  /** Looks up types as a loader sees them while it is about to define a class. */
  public static final class LoaderTypes implements TypeLookup {
    private final ClassLoader loader;
    private final KnownTypes known;
    private @Nullable ClassFileTypes files;

    public LoaderTypes(ClassLoader loader, KnownTypes known) {
      this.loader = loader;
      this.known = known;
    }

    @Override
    public @Nullable ClassHeader head(String name) {
      KnownType type = known.find(loader, name);
      return type == null ? null : type.head;
    }

    @Override
    public @Nullable ClassShape shape(String name) {
      ClassFileTypes found = files;
      if (found == null) {
        found = new ClassFileTypes(ClassShapeReader.visibleTo(loader));
        files = found;
      }
      return found.shape(name);
    }
  }
}
