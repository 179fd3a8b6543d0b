/**
 * Real servers for tests and demos, and a network that fails on demand.
 *
 * <p>Promises: every server listens on the loopback address only, on a port of its own, keeps its
 * files in a folder of its own, and leaves neither process nor file behind once it is closed. Only
 * the binaries of Postgres stay below the machine's folder of temporary files once they are
 * unpacked, for the next JVM. Assumes nothing but a JDK and the commands of any Unix; Docker is
 * used where it answers.
 */
@NullMarked
package io.portcullis.servers;

import org.jspecify.annotations.NullMarked;
