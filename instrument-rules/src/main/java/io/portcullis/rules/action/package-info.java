/**
 * Actions for refused calls that a rule can name, and their options.
 *
 * <p><b>Promised.</b> An action either returns how to gate a method so that a refused call gets the
 * action's result, or throws {@link io.portcullis.rules.action.Action.CannotGateException} with the
 * reason. It decides from class files alone, so the offline check gets the same result as the
 * weaver. All errors in its options are found when the rule is read.
 *
 * <p><b>Not promised.</b> Nothing is woven here. A {@link io.portcullis.rules.action.WeaveSpec}
 * describes what to weave.
 */
@NullMarked
package io.portcullis.rules.action;

import org.jspecify.annotations.NullMarked;
