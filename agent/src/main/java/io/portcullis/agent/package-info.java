/**
 * Launcher of the agent. Besides the gate, these are the only agent classes that the application
 * can see. They do nothing in JVMs that the agent ignores, put the gate where every class can see
 * it, open the engine's own class loader, and start the engine in it.
 *
 * <p>They depend only on the JDK. They do not configure, log, weave or elect.
 */
@NullMarked
package io.portcullis.agent;

import org.jspecify.annotations.NullMarked;
