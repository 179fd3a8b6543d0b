/**
 * The lease of an election as a Kubernetes Lease, in client-go's form: a program that uses
 * client-go's leader election may compete for the same object, and either side respects the other.
 *
 * <p>Every write is a compare-and-set on the resource version, so two nodes never change the same
 * state. Times in the object are informational and for client-go: whether a record is unchanged is
 * measured with the waiter's own monotonic clock only. The fencing epoch is kept in an annotation,
 * since the transition count can be lost or edited. A watch delivers changes at once. It never
 * opens a gate; an event about a loss shuts the gate before the next renewal.
 */
@NullMarked
package io.portcullis.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
