/**
 * Puts the agent together: configuration, gates, weaver, elections and the ways to look at them.
 *
 * <p>Before {@code main} only what has to be there before the first class of the application is
 * loaded; the rest on a daemon thread.
 */
@NullMarked
package io.portcullis.agent.runtime;

import org.jspecify.annotations.NullMarked;
