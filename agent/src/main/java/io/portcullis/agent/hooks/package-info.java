/**
 * Calls the application's own methods when something happens in an election.
 *
 * <p>Calls come in the order of what happened, one at a time, on threads of their own. They are
 * news and no permission: the gate has opened or shut before, and waits for none of them. Whatever
 * a method does, throws or fails to end touches neither the gate nor the election.
 */
@NullMarked
package io.portcullis.agent.hooks;

import org.jspecify.annotations.NullMarked;
