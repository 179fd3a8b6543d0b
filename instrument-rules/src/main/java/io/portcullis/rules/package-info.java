/**
 * The rules in force in a JVM, and their replacement by others while it runs.
 *
 * <p><b>Promised.</b> Rules are replaced all or none; one that is in both is gated at every moment.
 *
 * <p>Below it, each knowing only what stands before it: {@code match} (which methods a pattern
 * means), {@code spec} (a rule as written), {@code classfile} (what class files tell), {@code
 * template} (the code that is woven in), {@code action} (what becomes of refused calls), {@code
 * plan} (what a rule makes of a class), {@code coverage} (what has become of a rule), {@code
 * filter} (which rules can mean a class) and {@code weave} (the weaver). Beside it, for a check
 * without the application: {@code offline}, {@code survey} and {@code writes}.
 */
@NullMarked
package io.portcullis.rules;

import org.jspecify.annotations.NullMarked;
