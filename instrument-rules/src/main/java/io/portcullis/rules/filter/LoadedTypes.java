package io.portcullis.rules.filter;

import io.portcullis.rules.filter.KnownTypes.KnownType;
import io.portcullis.rules.filter.KnownTypes.LoaderTypes;
import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.ClassShape;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the real supertypes of a loaded class, which the JVM has resolved. Annotations and
 * methods are still read from class files, because reflection on them would load other classes.
 */
public final class LoadedTypes implements TypeLookup {
  private final Map<String, Class<?>> supertypes;
  private final ClassLoader loader;
  private final KnownTypes known;

  public LoadedTypes(Class<?> loaded, ClassLoader loader, KnownTypes known) {
    this.supertypes = supertypes(loaded);
    this.loader = loader;
    this.known = known;
  }

  /** All supertypes by name, which are loaded as surely as the class is. */
  static Map<String, Class<?>> supertypes(Class<?> loaded) {
    Map<String, Class<?>> found = new LinkedHashMap<>();
    addParents(loaded, found);
    return found;
  }

  private static void addParents(Class<?> type, Map<String, Class<?>> found) {
    Class<?> superclass = type.getSuperclass();
    if (superclass != null && found.putIfAbsent(superclass.getName(), superclass) == null) {
      addParents(superclass, found);
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (found.putIfAbsent(parent.getName(), parent) == null) {
        addParents(parent, found);
      }
    }
  }

  @Override
  public @Nullable ClassHeader head(String name) {
    Class<?> type = supertypes.get(name);
    KnownType seen = known.find(type == null ? loader : WeavableClasses.loaderOf(type), name);
    ClassHeader head = seen == null ? null : seen.head;
    return type == null ? head : real(type, head == null ? Set.of() : head.annotations());
  }

  private static ClassHeader real(Class<?> type, Set<String> annotations) {
    Class<?> superclass = type.getSuperclass();
    return new ClassHeader(
        type.getModifiers(),
        type.getName(),
        superclass == null ? null : superclass.getName(),
        Arrays.stream(type.getInterfaces()).map(Class::getName).toList(),
        annotations,
        Set.of());
  }

  @Override
  public @Nullable ClassShape shape(String name) {
    Class<?> type = supertypes.get(name);
    return new LoaderTypes(type == null ? loader : WeavableClasses.loaderOf(type), known)
        .shape(name);
  }
}
