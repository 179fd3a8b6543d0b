/**
 * Assembles the agent: configuration, gates, weaver, elections, HTTP endpoint and MBeans.
 *
 * <p>Before {@code main} only those parts start that must be active before the first application
 * class is loaded. The rest starts on a daemon thread.
 */
@NullMarked
package io.portcullis.agent.runtime;

import org.jspecify.annotations.NullMarked;
