package io.portcullis.it.support;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/** The JDKs under test: the running one, and those of PORTCULLIS_IT_JDKS. */
public final class Jdks {
  private Jdks() {}

  public static Path running() {
    return Path.of(System.getProperty("java.home"));
  }

  public static Stream<Path> all() {
    String others = System.getenv().getOrDefault("PORTCULLIS_IT_JDKS", "");
    return Stream.concat(
            Stream.of(running()),
            Stream.of(others.split(",", -1))
                .map(String::strip)
                .filter(home -> !home.isEmpty())
                .map(Path::of))
        .map(Jdks::real)
        .distinct();
  }

  /** Resolves links, since one JDK may have several paths. */
  private static Path real(Path home) {
    try {
      return home.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException("no JDK at " + home, e);
    }
  }

  /** The major version of a JDK. */
  public static int version(Path jdk) {
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(jdk.resolve("release"))) {
      release.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("no JDK at " + jdk, e);
    }
    return Integer.parseInt(
        release.getProperty("JAVA_VERSION").replace("\"", "").split("[.+-]", 2)[0]);
  }

  public static String tool(Path jdk, String name) {
    return jdk.resolve("bin").resolve(name).toString();
  }
}
