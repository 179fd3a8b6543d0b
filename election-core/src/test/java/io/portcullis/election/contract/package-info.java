/**
 * What every store of leases must do, as tests: a backend extends {@link
 * io.portcullis.election.contract.BackendContract} and says how to reach a real store, and extends
 * {@link io.portcullis.election.contract.NetworkContract} and says how the way to it fails.
 */
@NullMarked
package io.portcullis.election.contract;

import org.jspecify.annotations.NullMarked;
