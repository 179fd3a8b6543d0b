/**
 * Access to a database: addresses, credentials, connections and error messages.
 *
 * <p><b>Promised.</b> No message of this package contains a secret, and no connection waits
 * forever.
 */
@NullMarked
package io.portcullis.backend.postgres.jdbc;

import org.jspecify.annotations.NullMarked;
