/**
 * Measures the speed and the messages of a quorum election: all members in one JVM, with real
 * sockets on the loopback address and real vote files on the disk.
 */
@NullMarked
package io.portcullis.benchmarks.quorum;

import org.jspecify.annotations.NullMarked;
