/**
 * Measures how soon another node may act after a handover or a crash of the leader: Portcullis
 * compared with widely used alternatives. Every node is a separate JVM that checks in a tight loop
 * whether it may act, so that all are measured in the same way.
 */
@NullMarked
package io.portcullis.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
