package io.portcullis.fencing.weave;

import org.jspecify.annotations.Nullable;

/**
 * A driver's class that could not be woven.
 *
 * @param className with slashes
 * @param loaded whether it is in use all the same, since it was loaded before; else it was kept
 *     from being loaded
 */
public record UnwovenDriver(
    String className, @Nullable ClassLoader loader, boolean loaded, Throwable why) {}
