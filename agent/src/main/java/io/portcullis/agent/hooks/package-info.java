/**
 * Calls static methods of the application on election events.
 *
 * <p>Calls are made in the order of the events, one at a time, on separate threads. A call is a
 * notification, not a permission: the gate has opened or shut before it and never waits for a hook.
 * A hook that throws or hangs affects neither the gate nor the election.
 */
@NullMarked
package io.portcullis.agent.hooks;

import org.jspecify.annotations.NullMarked;
