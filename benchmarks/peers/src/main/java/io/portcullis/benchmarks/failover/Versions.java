package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The versions of the peers, as the build took them. */
public final class Versions {
  private Versions() {}

  /** The version of one of them. */
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
