/**
 * Makes a Postgres driver speak through the fence.
 *
 * <p><b>Promised.</b> A driver's class that makes the streams of a connection either takes them
 * from {@link io.portcullis.gate.DatabaseLines}, or can't be loaded and is reported. That holds for
 * drivers of any loader and under any package, but for those of the agent's own loaders.
 *
 * <p><b>Not promised.</b> Connections that were made before the driver was woven stay as they were.
 */
@NullMarked
package io.portcullis.fencing.weave;

import org.jspecify.annotations.NullMarked;
