package io.portcullis.election.contract;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseStore;

/** One election in a real store, new when the test begins. */
public interface StoreFixture {

  /** A way to the store for one node; each call gives another one to the same election. */
  LeaseStore open(ElectionConfig config);

  /** Makes the store forget everything about this election. */
  void wipe();
}
