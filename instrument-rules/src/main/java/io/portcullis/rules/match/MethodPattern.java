package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which methods of a class a pattern means, by name and parameters. */
final class MethodPattern {
  private static final Set<String> METHODS_OF_OBJECT =
      Set.of(
          "clone()",
          "equals(java.lang.Object)",
          "finalize()",
          "getClass()",
          "hashCode()",
          "notify()",
          "notifyAll()",
          "toString()",
          "wait()",
          "wait(long)",
          "wait(long,int)");

  private final String name;
  private final boolean wildcard;
  private final NameGlob glob;
  private final ParameterPattern parameters;

  MethodPattern(String name, ParameterPattern parameters) {
    this.name = name;
    this.wildcard = NameGlob.hasWildcard(name);
    this.glob = new NameGlob(name);
    this.parameters = parameters;
  }

  String name() {
    return name;
  }

  boolean hasWildcard() {
    return wildcard;
  }

  /**
   * The methods meant. A bridge is left out if it surely leads to another of them, since its calls
   * would be counted twice; a bridge to an inherited method stays, and so does one in doubt.
   */
  List<MethodShape> select(List<MethodShape> declared) {
    List<MethodShape> meant = new ArrayList<>();
    for (MethodShape method : declared) {
      if (matches(method)) {
        meant.add(method);
      }
    }
    return meant.stream().filter(method -> meant.stream().noneMatch(method::isBridgeTo)).toList();
  }

  private boolean matches(MethodShape method) {
    return !method.isInitialiser()
        && matchesName(method)
        && parameters.matches(method.parameterTypes());
  }

  private boolean matchesName(MethodShape method) {
    if (!wildcard) {
      return name.equals(method.name());
    }
    return glob.matches(method.name(), '.')
        && (!method.isSynthetic() || method.isBridge())
        && !method.name().startsWith("lambda$")
        && !METHODS_OF_OBJECT.contains(method.signature());
  }

  @Override
  public String toString() {
    return name + parameters;
  }
}
