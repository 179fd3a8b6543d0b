package io.portcullis.it.fence;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A bank with a class loader that needs the database's driver to find class files. A weaver that
 * asks it for one makes the JVM load the driver inside a transformer, and no transformer is asked
 * about what is loaded there.
 */
public final class LateBank {
  static final List<String> DRIVER =
      List.of("org.postgresql.core.PGStream", "org.postgresql.core.v3.QueryExecutorImpl");

  private LateBank() {}

  /** For a rule by subtype. */
  public interface Store {}

  static final class Safe implements Store {}

  public static void main(String[] args) throws IOException {
    new Library().bring(LateBank.class.getName() + "$Safe");
    Bank.main(args);
  }

  private static final class Library extends ClassLoader {
    Library() {
      super(LateBank.class.getClassLoader());
    }

    void bring(String name) throws IOException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] classFile = in.readAllBytes();
        defineClass(name, classFile, 0, classFile.length);
      }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      for (String each : DRIVER) {
        try {
          loadClass(each);
          System.out.println("loaded to find " + name + ": " + each);
        } catch (ClassNotFoundException e) {
          throw new IllegalStateException(e);
        }
      }
      return super.getResourceAsStream(name);
    }
  }
}
