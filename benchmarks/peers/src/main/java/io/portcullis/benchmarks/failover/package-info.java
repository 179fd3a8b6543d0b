/**
 * How soon another node may act once the leader hands over or is killed: Portcullis beside what
 * people use otherwise. Every node is a JVM of its own that is asked in a tight loop whether it may
 * act, so that all are measured alike.
 */
@NullMarked
package io.portcullis.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
