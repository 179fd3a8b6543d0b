/**
 * Real servers for tests and demos, and a network with fault injection.
 *
 * <p>Promises: every server listens only on the loopback address, on its own port, keeps its files
 * in its own folder, and leaves neither process nor file behind once it is closed. Only the
 * extracted binaries of Postgres remain below the machine's folder of temporary files, for the next
 * JVM. Requires only a JDK and the commands of any Unix; uses Docker if it is available.
 */
@NullMarked
package io.portcullis.servers;

import org.jspecify.annotations.NullMarked;
