/**
 * The interface of a lease store, with its requests, responses and records.
 *
 * <p>A store keeps one {@link io.portcullis.election.store.LeaseRecord} per election and changes it
 * only by compare-and-set. It makes no decisions about time on a node: the machine that sends a
 * request records when it was sent and when its response arrived. The promises of a store are
 * listed on {@link io.portcullis.election.store.LeaseStore}; what it may forget, and how that is
 * detected, on {@link io.portcullis.election.store.Claim}.
 */
@NullMarked
package io.portcullis.election.store;

import org.jspecify.annotations.NullMarked;
