/**
 * The way to a database: where it is, as whom to speak to it, what may go wrong on the way.
 *
 * <p>Promise: no text that comes out of here holds a secret, and no connection waits for ever.
 */
@NullMarked
package io.portcullis.backend.postgres.jdbc;

import org.jspecify.annotations.NullMarked;
