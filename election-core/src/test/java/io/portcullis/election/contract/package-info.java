/**
 * Contract tests for every lease store: a backend extends {@link
 * io.portcullis.election.contract.BackendContract} with the connection to a real store, and {@link
 * io.portcullis.election.contract.NetworkContract} with the faults of that connection.
 */
@NullMarked
package io.portcullis.election.contract;

import org.jspecify.annotations.NullMarked;
