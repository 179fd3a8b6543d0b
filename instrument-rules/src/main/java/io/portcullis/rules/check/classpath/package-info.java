/**
 * An application's class path as it lies on disk: jars, wars, nested jars, directories.
 *
 * <p><b>Promised.</b> Class files are read and no class is loaded. Where a class is there several
 * times, the first counts, as it does for the JVM. What can't be read is named with its place, and
 * the rest is read all the same.
 *
 * <p><b>Not promised.</b> Loaders with an order or a layout of their own (plug-ins, OSGi, modules
 * in layers) are not imitated; nor are classes seen that the application makes while it runs.
 */
@NullMarked
package io.portcullis.rules.check.classpath;

import org.jspecify.annotations.NullMarked;
