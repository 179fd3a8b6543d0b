package io.portcullis.it.fence;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A bank whose class loader uses the JDBC driver to find class files. If a weaver requests a class
 * file from it, the JVM loads the driver inside a transformer, and calls no transformer for classes
 * that are loaded there.
 */
public final class LateDriverTransferService {
  static final List<String> DRIVER =
      List.of("org.postgresql.core.PGStream", "org.postgresql.core.v3.QueryExecutorImpl");

  private LateDriverTransferService() {}

  /** Target of a rule by subtype. */
  public interface GatedType {}

  static final class GatedSubtype implements GatedType {}

  public static void main(String[] args) throws IOException {
    new DriverLoadingClassLoader().bring(GatedSubtype.class.getName());
    TransferService.main(args);
  }

  private static final class DriverLoadingClassLoader extends ClassLoader {
    DriverLoadingClassLoader() {
      super(LateDriverTransferService.class.getClassLoader());
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
