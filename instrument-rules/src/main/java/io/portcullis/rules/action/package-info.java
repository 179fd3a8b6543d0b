/**
 * What becomes of refused calls: the actions that a rule can name, and their options.
 *
 * <p><b>Promised.</b> An action either tells how a method is to be gated so that a refused call
 * does what the action says, or says why it can't be ({@link
 * io.portcullis.rules.action.CannotGateException}). It judges by what stands in class files and by
 * nothing else, so that it judges the same when the application does not run. All that is wrong
 * with its options is found when the rule is read.
 *
 * <p><b>Not promised.</b> Nothing is woven here. A {@link io.portcullis.rules.action.WeaveSpec}
 * says what to weave.
 */
@NullMarked
package io.portcullis.rules.action;

import org.jspecify.annotations.NullMarked;
