package io.portcullis.rules.match;

/** Pattern for class names. */
public sealed interface TypePattern {

  /** Whether it matches the class with this internal name ({@code com/acme/Ledger}). */
  boolean matchesInternal(String internalName);

  /** Whether it matches the class with this binary name ({@code com.acme.Ledger}). */
  boolean matches(String binaryName);

  /** Matches one class. */
  record Exact(String binaryName, String internalName) implements TypePattern {
    Exact(String binaryName) {
      this(binaryName, binaryName.replace('.', '/'));
    }

    @Override
    public boolean matchesInternal(String name) {
      return internalName.equals(name);
    }

    @Override
    public boolean matches(String name) {
      return binaryName.equals(name);
    }
  }

  /** Matches all classes whose name matches a glob. */
  final class Wildcard implements TypePattern {
    private final NameGlob glob;

    Wildcard(String pattern) {
      glob = new NameGlob(pattern);
    }

    /** The common prefix of all matching names, up to the first wildcard. */
    public String prefix() {
      return glob.prefix();
    }

    @Override
    public boolean matchesInternal(String name) {
      return glob.matches(name, '/');
    }

    @Override
    public boolean matches(String name) {
      return glob.matches(name, '.');
    }
  }
}
