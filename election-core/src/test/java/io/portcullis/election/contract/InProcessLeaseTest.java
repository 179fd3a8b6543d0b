package io.portcullis.election.contract;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.store.LeaseStore;

class InProcessLeaseTest extends BackendContract {

  @Override
  protected StoreFixture newFixture() {
    InProcessLease lease = new InProcessLease();
    return new StoreFixture() {
      @Override
      public LeaseStore open(ElectionConfig config) {
        return lease.connect();
      }

      @Override
      public void wipe() {
        throw new UnsupportedOperationException("memory of this process is not wiped");
      }
    };
  }

  @Override
  protected boolean canBeWiped() {
    return false;
  }

  @Override
  protected boolean carriesPriorityRequests() {
    return true;
  }

  @Override
  protected boolean hintsSuccessorOnly() {
    return false;
  }
}
