package io.portcullis.backend.postgres;

import org.jspecify.annotations.Nullable;

/**
 * Where the database is and as whom to speak to it.
 *
 * @param url where it is
 * @param user the role, null for the one in the url or the driver's own choice
 * @param password the password, null for none or the one in the url
 */
record Access(JdbcUrl url, @Nullable String user, @Nullable String password) {

  /** Every text of it that must not be shown. */
  @Nullable String secret() {
    return password != null ? password : url.options().get("password");
  }

  /** Holds no secret. */
  @Override
  public String toString() {
    return url.withoutSecrets();
  }
}
