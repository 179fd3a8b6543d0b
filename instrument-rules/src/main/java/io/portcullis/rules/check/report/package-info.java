/**
 * What rules would gate on a class path, before any of it runs.
 *
 * <p><b>Promised.</b> Which methods a rule means and whether its action can be carried out there is
 * judged by {@link io.portcullis.rules.plan.ClassPlan}, as the weaver does. What the weaver would
 * fail at is a refusal; what it would do and an operator may regret is a warning.
 *
 * <p><b>Not promised.</b> Classes that come into being at run time are not seen, and a trap that
 * the list of traps does not have is not found.
 */
@NullMarked
package io.portcullis.rules.check.report;

import org.jspecify.annotations.NullMarked;
