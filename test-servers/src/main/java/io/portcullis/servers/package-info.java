/**
 * Real servers for tests and demos, and a network that fails on demand.
 *
 * <p>Promises: every server listens on the loopback address only, on a port of its own, keeps its
 * files in a folder of its own, and leaves neither process nor file behind once it is closed.
 * Assumes nothing but a JDK; Docker is used where it answers.
 */
@NullMarked
package io.portcullis.servers;

import org.jspecify.annotations.NullMarked;
