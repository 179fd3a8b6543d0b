package io.portcullis.rules.match;

/** Pattern for the names of classes. A further kind is one more class here. */
public sealed interface TypePattern {

  /** Whether it means the class of this internal name ({@code com/acme/Ledger}). */
  boolean matchesInternal(String internalName);

  /** Whether it means the class of this binary name ({@code com.acme.Ledger}). */
  boolean matches(String binaryName);

  /** One class. */
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

  /** All classes whose name fits. */
  final class Wildcard implements TypePattern {
    private final NameGlob glob;

    Wildcard(String pattern) {
      glob = new NameGlob(pattern);
    }

    /** What every name that fits begins with, up to the first wildcard. */
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
