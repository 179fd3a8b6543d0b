package io.portcullis.rules.match;

import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class as its class file declares it; all names are binary names.
 *
 * @param superclass null for {@code java.lang.Object} alone
 * @param methods those it declares itself, constructors included
 */
public record ClassShape(
    int access,
    String name,
    @Nullable String superclass,
    List<String> interfaces,
    List<MethodShape> methods) {
  public ClassShape {
    interfaces = List.copyOf(interfaces);
    methods = List.copyOf(methods);
  }

  public boolean isAbstract() {
    return Modifier.isAbstract(access);
  }

  public boolean isPublic() {
    return Modifier.isPublic(access);
  }
}
