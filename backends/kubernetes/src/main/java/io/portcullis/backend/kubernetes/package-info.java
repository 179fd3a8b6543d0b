/**
 * The lease of an election as a Kubernetes Lease, in client-go's form: a program that uses
 * client-go's leader election may compete for the same object, and either side respects the other.
 *
 * <p>Every write is a compare-and-set on the resource version, so two nodes never change the same
 * state. Times in the object are for people and for client-go: a record counts as standing still
 * only by the waiter's own monotonic clock. The fencing epoch lives in an annotation, since the
 * count of transitions can be lost or edited. A watch brings news at once; nothing that opens a
 * gate rests on it, while news of a loss shuts the gate before the next renewal.
 */
@NullMarked
package io.portcullis.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
