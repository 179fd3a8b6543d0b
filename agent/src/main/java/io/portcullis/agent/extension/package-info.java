/**
 * Loads third-party jars that contain a backend, a listener or an action.
 *
 * <p><b>Promised.</b> Each jar is opened once, in a class loader of its own. That loader exposes
 * the JDK, the published types and nothing else of the agent or the application. A jar is used as a
 * whole or refused as a whole, before anything is installed. Its listeners can delay neither the
 * gate nor the election nor the agent's own listeners.
 *
 * <p><b>Not promised.</b> Any protection from malicious code in the jar: it runs with all
 * permissions of this JVM.
 */
@NullMarked
package io.portcullis.agent.extension;

import org.jspecify.annotations.NullMarked;
