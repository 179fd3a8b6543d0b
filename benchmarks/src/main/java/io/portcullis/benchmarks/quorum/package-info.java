/**
 * How fast an election among the nodes themselves is, and what it sends: all members in one JVM,
 * with real sockets on the loopback address and real ballots on the disk.
 */
@NullMarked
package io.portcullis.benchmarks.quorum;

import org.jspecify.annotations.NullMarked;
