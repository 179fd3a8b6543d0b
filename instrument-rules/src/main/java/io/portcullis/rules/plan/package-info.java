/**
 * Checked rules, and the plan of what a rule gates in one class.
 *
 * <p><b>Promised.</b> {@link io.portcullis.rules.plan.ClassPlan} is the only place that decides
 * which methods of a class a rule gates, in which form, and which it matches but can't gate. The
 * weaver and the offline check both use it. No class is loaded for it, and a plan changes nothing.
 */
@NullMarked
package io.portcullis.rules.plan;

import org.jspecify.annotations.NullMarked;
