package io.portcullis.fencing.weave;

import org.jspecify.annotations.Nullable;

/**
 * A driver's class that could not be woven, and so was kept from being loaded.
 *
 * @param className with slashes
 */
public record UnwovenDriver(String className, @Nullable ClassLoader loader, Throwable why) {}
