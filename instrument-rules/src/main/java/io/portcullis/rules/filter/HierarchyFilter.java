package io.portcullis.rules.filter;

import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.filter.KnownTypes.LoaderTypes;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.TypeHierarchy;
import io.portcullis.rules.match.TypePattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the rules by subtype or annotation that can match a class, before it is parsed in full.
 * It is called for every class that the JVM loads if there are such rules. So the rules that
 * concern a supertype or an annotation are computed once for each loader; a class that no rule
 * matches costs reading its header and a look-up for each parent and annotation, however many rules
 * there are.
 */
public final class HierarchyFilter {
  private final SupertypeIndex bySupertype;
  private final Map<String, List<InstalledRule>> byAnnotation = new HashMap<>();
  private final KnownTypes known;
  private final List<InstalledRule> all;

  public HierarchyFilter(List<InstalledRule> rules, KnownTypes known) {
    this.known = known;
    all = rules.stream().filter(rule -> !rule.rule().match().goesByName()).toList();
    bySupertype =
        new SupertypeIndex(all.stream().filter(rule -> rule.rule().match().subtypes()).toList());
    for (InstalledRule rule : all) {
      String annotation = rule.rule().match().annotation();
      if (annotation != null) {
        byAnnotation.computeIfAbsent(annotation, name -> new ArrayList<>()).add(rule);
      }
    }
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** All rules by subtype or annotation, in their order. */
  public List<InstalledRule> all() {
    return all;
  }

  /** The rules that may match a class which its loader is about to define. */
  public List<InstalledRule> meaning(ClassHeader head, ClassLoader loader) {
    Set<InstalledRule> bySupertypes = new LinkedHashSet<>();
    if (!bySupertype.isEmpty()) {
      bySupertype.collect(head.name(), bySupertypes);
      String superclass = head.superclass();
      if (superclass != null) {
        bySupertypes.addAll(ofSubtypes(superclass, loader));
      }
      for (String parent : head.interfaces()) {
        bySupertypes.addAll(ofSubtypes(parent, loader));
      }
    }
    return meaning(head, loader, bySupertypes);
  }

  /** The rules that may match a loaded class, according to its real supertypes. */
  public List<InstalledRule> meaning(ClassHeader head, ClassLoader loader, Class<?> loaded) {
    return meaning(head, loader, bySupertypesOf(loaded));
  }

  /** The rules that match a class by its real supertypes, regardless of their annotation. */
  public Set<InstalledRule> bySupertypesOf(Class<?> loaded) {
    Set<InstalledRule> rules = new LinkedHashSet<>();
    if (!bySupertype.isEmpty()) {
      bySupertype.collect(loaded.getName(), rules);
      for (Class<?> type : LoadedTypes.supertypes(loaded).values()) {
        bySupertype.collect(type.getName(), rules);
      }
    }
    return rules;
  }

  private List<InstalledRule> meaning(
      ClassHeader head, ClassLoader loader, Set<InstalledRule> bySupertypes) {
    Set<InstalledRule> byAnnotations = new LinkedHashSet<>();
    if (!byAnnotation.isEmpty() && !head.isAnnotationType()) {
      addCarried(head.annotations(), loader, byAnnotations);
      addCarried(head.methodAnnotations(), loader, byAnnotations);
      byAnnotations.addAll(inherited(head, loader));
    }
    if (bySupertypes.isEmpty() && byAnnotations.isEmpty()) {
      return List.of();
    }
    List<InstalledRule> meaning = new ArrayList<>();
    for (InstalledRule rule : bySupertypes) {
      if (rule.rule().match().annotation() == null || byAnnotations.contains(rule)) {
        meaning.add(rule);
      }
    }
    for (InstalledRule rule : byAnnotations) {
      MatchPattern match = rule.rule().match();
      if (!match.subtypes() && match.type().matches(head.name())) {
        meaning.add(rule);
      }
    }
    return meaning;
  }

  private List<InstalledRule> ofSubtypes(String parent, ClassLoader loader) {
    KnownType type = known.find(loader, parent);
    List<InstalledRule> cached = type == null ? null : type.ofSubtypes;
    if (cached != null) {
      return cached;
    }
    Set<InstalledRule> rules = new LinkedHashSet<>();
    bySupertype.collect(parent, rules);
    ClassHeader head = type == null ? null : type.head;
    if (type == null || head == null) {
      return List.copyOf(rules);
    }
    TypeHierarchy kinship = kinship(loader);
    for (String name : kinship.supertypes(head)) {
      bySupertype.collect(name, rules);
    }
    List<InstalledRule> result = List.copyOf(rules);
    if (kinship.unknown().isEmpty()) {
      type.ofSubtypes = result;
    }
    return result;
  }

  private void addCarried(
      Set<String> annotations, ClassLoader loader, Collection<InstalledRule> rules) {
    for (String annotation : annotations) {
      rules.addAll(ofCarriers(annotation, loader));
    }
  }

  private List<InstalledRule> ofCarriers(String annotation, ClassLoader loader) {
    KnownType type = known.find(loader, annotation);
    List<InstalledRule> cached = type == null ? null : type.ofCarriers;
    if (cached != null) {
      return cached;
    }
    Set<InstalledRule> rules = new LinkedHashSet<>();
    for (String name : kinship(loader).withMeta(annotation)) {
      rules.addAll(byAnnotation.getOrDefault(name, List.of()));
    }
    List<InstalledRule> result = List.copyOf(rules);
    if (type != null) {
      type.ofCarriers = result;
    }
    return result;
  }

  private List<InstalledRule> inherited(ClassHeader head, ClassLoader loader) {
    String superclass = head.superclass();
    if (superclass == null || head.isInterface() || superclass.equals("java.lang.Object")) {
      return List.of();
    }
    KnownType type = known.find(loader, superclass);
    List<InstalledRule> cached = type == null ? null : type.ofSubclasses;
    if (cached != null) {
      return cached;
    }
    Set<InstalledRule> rules = new LinkedHashSet<>();
    TypeHierarchy kinship = kinship(loader);
    addCarried(kinship.inheritedAnnotations(head), loader, rules);
    List<InstalledRule> result = List.copyOf(rules);
    if (type != null && kinship.unknown().isEmpty()) {
      type.ofSubclasses = result;
    }
    return result;
  }

  private TypeHierarchy kinship(ClassLoader loader) {
    return new TypeHierarchy(new LoaderTypes(loader, known));
  }

  /**
   * Rules by subtype, indexed by the type that they name: by name, or by name prefix if there are
   * wildcards. The cost of a lookup grows with the number of different prefix lengths, not with the
   * number of rules.
   */
  static final class SupertypeIndex {
    private final Map<String, List<InstalledRule>> byName = new HashMap<>();
    private final Map<String, List<InstalledRule>> byPrefix = new HashMap<>();
    private final int[] prefixLengths;

    SupertypeIndex(Collection<InstalledRule> rules) {
      for (InstalledRule rule : rules) {
        TypePattern type = rule.rule().match().type();
        if (type instanceof TypePattern.Exact exact) {
          byName.computeIfAbsent(exact.binaryName(), name -> new ArrayList<>()).add(rule);
        } else if (type instanceof TypePattern.Wildcard wildcard) {
          byPrefix.computeIfAbsent(wildcard.prefix(), prefix -> new ArrayList<>()).add(rule);
        }
      }
      prefixLengths = byPrefix.keySet().stream().mapToInt(String::length).distinct().toArray();
    }

    boolean isEmpty() {
      return byName.isEmpty() && byPrefix.isEmpty();
    }

    /** Adds the rules that name a type. */
    void collect(String name, Collection<InstalledRule> rules) {
      List<InstalledRule> named = byName.get(name);
      if (named != null) {
        rules.addAll(named);
      }
      for (int length : prefixLengths) {
        if (length <= name.length()) {
          List<InstalledRule> candidates = byPrefix.get(name.substring(0, length));
          if (candidates != null) {
            collect(candidates, name, rules);
          }
        }
      }
    }

    private static void collect(
        List<InstalledRule> candidates, String name, Collection<InstalledRule> rules) {
      for (InstalledRule rule : candidates) {
        if (rule.rule().match().type().matches(name)) {
          rules.add(rule);
        }
      }
    }
  }
}
