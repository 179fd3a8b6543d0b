package io.portcullis.backend.postgres;

import io.portcullis.election.backend.Secret;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and as whom to speak to it.
 *
 * @param url where it is
 * @param user the role, null for the one in the url
 * @param password the password, null for none
 */
record Access(JdbcUrl url, @Nullable String user, @Nullable Secret password) {

  /** Holds no secret. */
  @Override
  public String toString() {
    return url.withoutSecrets();
  }
}
