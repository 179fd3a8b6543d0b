/**
 * Offline check of rules: what they would gate on a class path, without running it.
 *
 * <p><b>Promised.</b> {@link io.portcullis.rules.plan.ClassPlan} decides which methods a rule
 * matches and whether its action can be applied to them, as it does for the weaver. A method that
 * the weaver would fail to gate is a refusal; one that it would gate, with effects that an operator
 * may not want, is a warning.
 *
 * <p><b>Not promised.</b> Classes that are generated at run time are not seen, and methods that are
 * risky to gate are recognised only if they are on the list of such methods.
 */
@NullMarked
package io.portcullis.rules.check.report;

import org.jspecify.annotations.NullMarked;
