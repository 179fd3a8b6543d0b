/**
 * A rule that has been checked, and what it makes of one class.
 *
 * <p><b>Promised.</b> {@link io.portcullis.rules.plan.ClassPlan} is the one judgement of which
 * methods of a class a rule gates, in which form, and which it means and can't gate. The weaver and
 * the check without the application both go by it. No class is loaded for it, and a plan changes
 * nothing.
 */
@NullMarked
package io.portcullis.rules.plan;

import org.jspecify.annotations.NullMarked;
