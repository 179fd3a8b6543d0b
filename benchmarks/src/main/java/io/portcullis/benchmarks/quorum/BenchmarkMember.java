package io.portcullis.benchmarks.quorum;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseStore;

/**
 * A participating member.
 *
 * @param election the member's election, which owns the store
 * @param store counts the member's messages
 */
record BenchmarkMember(LeaderElection election, LeaseStore store) {

  static BenchmarkMember start(StorePlan plan, ElectionConfig config) {
    LeaseStore store = plan.open(config);
    LeaderElection election = new LeaderElection(config, store);
    election.start();
    return new BenchmarkMember(election, store);
  }
}
