package io.portcullis.backend.redis;

import io.portcullis.election.backend.Secret;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is and as whom to speak to it.
 *
 * @param address where it is
 * @param user the ACL user, null for the default one
 * @param password the password, null for none
 * @param caFile certificates to trust, null for those of the JVM
 * @param verifyHost whether a certificate must bear the host's name
 */
record RedisAccess(
    RedisAddress address,
    @Nullable String user,
    @Nullable Secret password,
    @Nullable Path caFile,
    boolean verifyHost) {

  /** Holds no secret. */
  @Override
  public String toString() {
    return address.withoutSecrets();
  }
}
