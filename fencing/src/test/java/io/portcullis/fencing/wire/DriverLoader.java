package io.portcullis.fencing.wire;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Objects;
import java.util.Properties;

/**
 * A driver of its own. Sees the gate, as every loader does, and nothing else of this class path.
 */
final class DriverLoader extends URLClassLoader {
  private DriverLoader(URL jar) {
    super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
  }

  static DriverLoader ofVersion(String version) throws MalformedURLException {
    Path jar = Path.of("target", "drivers", "postgresql-" + version + ".jar");
    return new DriverLoader(jar.toUri().toURL());
  }

  /** The version that this module is built with. */
  static DriverLoader ofLatest() {
    return new DriverLoader(
        org.postgresql.Driver.class.getProtectionDomain().getCodeSource().getLocation());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return name.startsWith("io.portcullis.gate.")
        ? DriverLoader.class.getClassLoader().loadClass(name)
        : super.findClass(name);
  }

  Connection connect(String mode) throws Exception {
    Driver driver =
        (Driver) loadClass("org.postgresql.Driver").getDeclaredConstructor().newInstance();
    Properties properties = new Properties();
    properties.setProperty("user", FencedPostgres.SERVER.user());
    properties.setProperty("preferQueryMode", mode);
    properties.setProperty("prepareThreshold", "2");
    return Objects.requireNonNull(
        driver.connect(FencedPostgres.SERVER.url(FencedPostgres.DATABASE), properties));
  }
}
