/**
 * The rules in force in a JVM, and their replacement at run time.
 *
 * <p><b>Promised.</b> Rules are replaced all or none. A rule that is in both the old and the new
 * set is gated at every moment.
 *
 * <p>Subpackages; each depends only on those listed before it: {@code match} (which methods a
 * pattern matches), {@code spec} (a rule as configured), {@code classfile} (reads class files),
 * {@code template} (the code that is woven in), {@code extension} (the interface for actions of
 * extensions), {@code action} (the results of refused calls), {@code plan} (what a rule gates in a
 * class), {@code coverage} (installed rules and their state), {@code filter} (which rules can match
 * a class) and {@code weave} (the weaver). The offline check, which runs without the application,
 * is in {@code check.classpath}, {@code check.report} and {@code check.writes}.
 */
@NullMarked
package io.portcullis.rules;

import org.jspecify.annotations.NullMarked;
