/**
 * Reads configuration files, environment variables and system properties into one tree of values,
 * and reads typed values from its sections.
 *
 * <p><b>Promised.</b> Each value knows its origin, so that each problem names its location. A
 * problem does not stop reading: all are collected in {@link
 * io.portcullis.agent.config.hocon.ConfigProblems}. No secret appears in a problem.
 *
 * <p><b>Not promised.</b> Which keys exist: the {@code reference.conf} files say that. What they
 * mean is up to the readers in {@code io.portcullis.agent.config}, which this package does not
 * know.
 */
@NullMarked
package io.portcullis.agent.config.hocon;

import org.jspecify.annotations.NullMarked;
