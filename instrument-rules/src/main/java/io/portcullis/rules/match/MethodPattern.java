package io.portcullis.rules.match;

import java.util.List;
import java.util.Set;

/** Pattern for methods of a class, by name and parameters. */
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

  static final String CONSTRUCTOR = "new";

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

  boolean meansConstructors() {
    return name.equals(CONSTRUCTOR);
  }

  static boolean isOfObject(MethodShape method) {
    return METHODS_OF_OBJECT.contains(method.signature());
  }

  boolean matches(MethodShape method) {
    if (meansConstructors()) {
      return method.isConstructor() && parameters.matches(method.parameterTypes());
    }
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
        && !isOfObject(method);
  }

  @Override
  public String toString() {
    return name + parameters;
  }

  /**
   * Matches parameter lists.
   *
   * @param types binary names, or {@code *} for any one type
   * @param open whether any others may follow
   */
  record ParameterPattern(List<String> types, boolean open) {
    static final String ANY = "*";

    ParameterPattern {
      types = List.copyOf(types);
    }

    boolean matches(List<String> actual) {
      if (open ? actual.size() < types.size() : actual.size() != types.size()) {
        return false;
      }
      for (int i = 0; i < types.size(); i++) {
        if (!types.get(i).equals(ANY) && !types.get(i).equals(actual.get(i))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public String toString() {
      String listed = String.join(",", types);
      return "(" + listed + (open ? (listed.isEmpty() ? ".." : ",..") : "") + ")";
    }
  }
}
