/**
 * Jars of others that bring a backend, a listener or an action.
 *
 * <p><b>Promised.</b> Each jar is opened once, in a loader of its own that shows it the JDK, the
 * published types and nothing else of the agent or the application. It is used as a whole or
 * refused as a whole, before anything is installed. What its listeners do holds up neither the gate
 * nor the election nor the agent's own listeners.
 *
 * <p><b>Not promised.</b> Any protection from what the jar's code means to do: it runs with all
 * rights of this JVM.
 */
@NullMarked
package io.portcullis.agent.extension;

import org.jspecify.annotations.NullMarked;
