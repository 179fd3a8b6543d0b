package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Objects;
import java.util.Properties;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;

/**
 * Loads its own copy of a driver. Finds the gate, as every loader does, and nothing else of this
 * class path.
 */
final class DriverClassLoader extends URLClassLoader {
  private static final String ORIGINAL_PACKAGE = "org.postgresql";

  private final String driverPackage;

  private DriverClassLoader(URL jar, String driverPackage) {
    super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    this.driverPackage = driverPackage;
  }

  static DriverClassLoader ofVersion(String version) throws MalformedURLException {
    Path jar = Path.of("target", "drivers", "postgresql-" + version + ".jar");
    return new DriverClassLoader(jar.toUri().toURL(), ORIGINAL_PACKAGE);
  }

  /** The version that this module is built with. */
  static DriverClassLoader ofLatest() {
    return relocatedTo(ORIGINAL_PACKAGE);
  }

  /** The same version with all its classes in another package, as forks and shaded jars have it. */
  static DriverClassLoader relocatedTo(String driverPackage) {
    return new DriverClassLoader(
        org.postgresql.Driver.class.getProtectionDomain().getCodeSource().getLocation(),
        driverPackage);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith("io.portcullis.gate.")) {
      return DriverClassLoader.class.getClassLoader().loadClass(name);
    }
    boolean relocates = !driverPackage.equals(ORIGINAL_PACKAGE);
    return relocates && name.startsWith(driverPackage + ".")
        ? relocated(name)
        : super.findClass(name);
  }

  private Class<?> relocated(String name) throws ClassNotFoundException {
    String from = ORIGINAL_PACKAGE.replace('.', '/') + "/";
    String to = driverPackage.replace('.', '/') + "/";
    String original = from + name.substring(to.length()).replace('.', '/') + ".class";
    try (InputStream in = getResourceAsStream(original)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      ClassWriter writer = new ClassWriter(0);
      new ClassReader(in.readAllBytes())
          .accept(
              new ClassRemapper(
                  writer,
                  new Remapper(Opcodes.ASM9) {
                    @Override
                    public String map(String internalName) {
                      return internalName.startsWith(from)
                          ? to + internalName.substring(from.length())
                          : internalName;
                    }
                  }),
              0);
      byte[] classFile = writer.toByteArray();
      return defineClass(name, classFile, 0, classFile.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  Connection connect(String mode) throws Exception {
    Driver driver =
        (Driver) loadClass(driverPackage + ".Driver").getDeclaredConstructor().newInstance();
    Properties properties = new Properties();
    properties.setProperty("user", FencedPostgresFixture.SERVER.user());
    properties.setProperty("preferQueryMode", mode);
    properties.setProperty("prepareThreshold", "2");
    return Objects.requireNonNull(
        driver.connect(
            FencedPostgresFixture.SERVER.url(FencedPostgresFixture.DATABASE), properties));
  }
}
