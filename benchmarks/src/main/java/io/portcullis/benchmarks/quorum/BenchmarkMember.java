package io.portcullis.benchmarks.quorum;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseStore;

/**
 * A member that takes part.
 *
 * @param election its election, which owns the store
 * @param store what counts its messages
 */
record BenchmarkMember(LeaderElection election, LeaseStore store) {

  static BenchmarkMember start(StorePlan plan, ElectionConfig config) {
    LeaseStore store = plan.open(config);
    LeaderElection election = new LeaderElection(config, store);
    election.start();
    return new BenchmarkMember(election, store);
  }
}
