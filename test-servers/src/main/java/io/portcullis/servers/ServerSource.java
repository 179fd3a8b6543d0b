package io.portcullis.servers;

import org.jspecify.annotations.Nullable;
import org.testcontainers.utility.DockerImageName;

/** Where the server of a test comes from. */
enum ServerSource {
  /** A running server that a system property names. */
  EXTERNAL,
  /** Docker. */
  CONTAINER,
  /** The binary inside a Maven artifact. */
  LOCAL;

  /**
   * A given server comes first, then Docker.
   *
   * @param address the system property with the address of a running server
   */
  static ServerSource choose(@Nullable String address, boolean isDockerAvailable) {
    if (address != null && !address.isBlank()) {
      return EXTERNAL;
    }
    return isDockerAvailable ? CONTAINER : LOCAL;
  }

  /** The images that tests run in, in the versions that the documentation names. */
  enum ServerImage {
    /** Redis: the newest. The binary of the Maven artifact is the oldest that is tested. */
    REDIS("portcullis.test.redis.image", "redis:8-alpine"),
    /** Postgres: the newest. The oldest is always started from a Maven artifact. */
    POSTGRES("portcullis.test.postgres.image", "postgres:18-alpine");

    private final String property;
    private final String standard;

    ServerImage(String property, String standard) {
      this.property = property;
      this.standard = standard;
    }

    /** System property that names another image. */
    String property() {
      return property;
    }

    /** The image, null or blank for the default. */
    DockerImageName named(@Nullable String other) {
      return DockerImageName.parse(other == null || other.isBlank() ? standard : other);
    }

    /** The image that the system property names, or the default. */
    DockerImageName image() {
      return named(System.getProperty(property));
    }
  }
}
