/**
 * The port a store of leases implements, and the words spoken over it.
 *
 * <p>A store keeps one {@link io.portcullis.election.store.LeaseRecord} per election and changes it
 * only by compare-and-set. It decides nothing about time on a node: when a request left and when
 * its answer arrived is noted by the machine that asked. What a store must promise stands on {@link
 * io.portcullis.election.store.LeaseStore}; what it may forget, and who notices, on {@link
 * io.portcullis.election.store.Claim}.
 */
@NullMarked
package io.portcullis.election.store;

import org.jspecify.annotations.NullMarked;
