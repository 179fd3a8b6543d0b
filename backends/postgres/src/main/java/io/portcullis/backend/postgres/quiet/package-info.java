/**
 * What the driver and the pool see inside the agent instead of two parts of the JDK that belong to
 * the application.
 *
 * <p>The driver logs by {@code java.util.logging}: touched too early that locks out the
 * application's own log manager, and what is written there lands in the application's log. And it
 * registers itself with {@code DriverManager}, where the application would meet it. The agent's
 * build binds its copies of driver and pool to the classes here; used as a library they are as
 * their makers made them.
 */
@NullMarked
package io.portcullis.backend.postgres.quiet;

import org.jspecify.annotations.NullMarked;
