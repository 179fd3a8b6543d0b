/**
 * Replacements for two JDK classes with global state, used by the agent's copies of the JDBC driver
 * and the connection pool.
 *
 * <p>The driver logs with {@code java.util.logging}. Initializing that too early prevents the
 * application from installing its own log manager, and the messages would appear in the
 * application's log. The driver also registers itself with {@code DriverManager}, where it would be
 * visible to the application. The agent's build relocates these references in its copies of driver
 * and pool to the classes of this package. Outside the agent both libraries are used unchanged.
 */
@NullMarked
package io.portcullis.backend.postgres.quiet;

import org.jspecify.annotations.NullMarked;
