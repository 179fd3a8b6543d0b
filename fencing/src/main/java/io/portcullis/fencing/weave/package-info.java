/**
 * Weaves Postgres drivers so that their connections go through the fence.
 *
 * <p><b>Promised.</b> The driver class that creates the streams of a connection either gets them
 * from {@link io.portcullis.gate.DriverHooks}, or can't be loaded and is reported. This holds for
 * drivers of any class loader and under any package, except in the agent's own loaders. A driver is
 * pgjdbc or a fork of it that kept its class names.
 *
 * <p><b>Not promised.</b> A class that the JVM loaded without calling the transformer is woven by
 * the next scan of the loaded classes; until then its connections are not fenced. After that, each
 * connection that it opened before is closed by the next message sent on it, so only a message that
 * was being sent at the moment of weaving can still reach the server. Drivers with their own
 * implementation of the protocol are not woven; {@link io.portcullis.fencing.weave.UnfencedDriver}
 * detects the known ones.
 */
@NullMarked
package io.portcullis.fencing.weave;

import org.jspecify.annotations.NullMarked;
