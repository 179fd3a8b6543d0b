package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Versions of the compared libraries, as used by the build. */
public final class Versions {
  private Versions() {}

  /** Returns the version of one library. */
  public static String version(String of) {
    Properties versions = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      versions.load(Objects.requireNonNull(in, "versions.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Objects.requireNonNull(versions.getProperty(of), of);
  }
}
