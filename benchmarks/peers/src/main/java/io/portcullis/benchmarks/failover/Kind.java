package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** What elects the leader. */
enum Kind {
  PORTCULLIS,
  REDISSON,
  CURATOR;

  /** As the table names it, with the version measured. */
  String label() {
    return switch (this) {
      case PORTCULLIS -> "Portcullis, Redis";
      case REDISSON -> "Redisson " + version("redisson") + " `RLock`, Redis";
      case CURATOR -> "Curator " + version("curator") + " `LeaderLatch`, ZooKeeper";
    };
  }

  private static String version(String of) {
    Properties versions = new Properties();
    try (InputStream in = Kind.class.getResourceAsStream("versions.properties")) {
      versions.load(Objects.requireNonNull(in, "versions.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Objects.requireNonNull(versions.getProperty(of), of);
  }
}
