/**
 * The only classes of the agent, beside the gate, that the application can find: they stay out of
 * JVMs that are none of the agent's business, put the gate where every class can see it, open the
 * engine's own class loader, and hand over.
 *
 * <p>They use the JDK alone. Nothing here configures, logs, weaves or elects.
 */
@NullMarked
package io.portcullis.agent;

import org.jspecify.annotations.NullMarked;
