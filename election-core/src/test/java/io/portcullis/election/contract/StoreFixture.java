package io.portcullis.election.contract;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseStore;

/** One election in a real store, new at the start of each test. */
public interface StoreFixture {

  /**
   * Creates a connection to the store for one node; each call returns another one to the same
   * election.
   */
  LeaseStore open(ElectionConfig config);

  /** Makes the store forget everything about this election. */
  void wipe();
}
