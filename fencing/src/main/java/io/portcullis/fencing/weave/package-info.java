/**
 * Makes a Postgres driver speak through the fence.
 *
 * <p><b>Promised.</b> A driver's class that makes the streams of a connection either takes them
 * from {@link io.portcullis.gate.DriverHooks}, or can't be loaded and is reported. That holds for
 * drivers of any loader and under any package, but for those of the agent's own loaders. A driver
 * is pgjdbc or a fork of it that kept its class names.
 *
 * <p><b>Not promised.</b> A class that the JVM has loaded without asking is woven when loaded
 * classes are next looked through; nobody follows what it sends until then. From then on each line
 * that it has made before is cut by the next message on it, so that only what was being sent at
 * that very moment still goes out. Drivers with an implementation of their own are not woven;
 * {@link io.portcullis.fencing.weave.UnfencedDriver} finds those that are known.
 */
@NullMarked
package io.portcullis.fencing.weave;

import org.jspecify.annotations.NullMarked;
