package io.portcullis.rules.match;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A class as its class file declares it; all names are binary names.
 *
 * @param superclass null only for {@code java.lang.Object}
 * @param annotations annotations of the type, see {@link ClassHeader#annotations}
 * @param methods declared methods, including constructors
 */
public record ClassShape(
    int access,
    String name,
    @Nullable String superclass,
    List<String> interfaces,
    Set<String> annotations,
    List<MethodShape> methods) {
  public ClassShape {
    interfaces = List.copyOf(interfaces);
    annotations = Set.copyOf(annotations);
    methods = List.copyOf(methods);
  }

  /** Creates a class without annotations. */
  public ClassShape(
      int access,
      String name,
      @Nullable String superclass,
      List<String> interfaces,
      List<MethodShape> methods) {
    this(access, name, superclass, interfaces, Set.of(), methods);
  }

  /** The class without its methods. */
  public ClassHeader head() {
    return new ClassHeader(
        access,
        name,
        superclass,
        interfaces,
        annotations,
        methods.stream()
            .flatMap(method -> method.annotations().stream())
            .collect(Collectors.toUnmodifiableSet()));
  }

  public boolean isAbstract() {
    return Modifier.isAbstract(access);
  }

  public boolean isFinal() {
    return Modifier.isFinal(access);
  }

  public boolean isInterface() {
    return Modifier.isInterface(access);
  }

  public boolean isPublic() {
    return Modifier.isPublic(access);
  }
}
