/**
 * Reads an application's class path from disk: jars, wars, nested jars, directories.
 *
 * <p><b>Promised.</b> Class files are read and no class is loaded. If a class exists several times,
 * the first one counts, as it does for the JVM. A file that can't be read is reported with its
 * path, and the others are still read.
 *
 * <p><b>Not promised.</b> Loaders with their own search order or layout (plug-ins, OSGi, modules in
 * layers) are not simulated. Classes that the application generates at run time are not seen.
 */
@NullMarked
package io.portcullis.rules.check.classpath;

import org.jspecify.annotations.NullMarked;
