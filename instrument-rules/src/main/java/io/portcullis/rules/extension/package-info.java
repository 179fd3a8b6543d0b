/**
 * The interface that an extension implements to add an action.
 *
 * <p><b>Promised.</b> An action is called on the thread of the refused call, after the gate has
 * refused it. The method's body never runs, whatever the action does: the action only chooses what
 * the caller gets.
 *
 * <p><b>Assumed.</b> An action is fast and thread-safe.
 */
@NullMarked
package io.portcullis.rules.extension;

import org.jspecify.annotations.NullMarked;
