package io.portcullis.election.contract;

import io.portcullis.election.store.LeaseStore;

/** Gets an optional feature of a store that a test knows to have it. */
public final class RequiredFeature {
  private RequiredFeature() {}

  /** Returns the feature, or throws if the store does not have it. */
  public static <T> T of(LeaseStore store, Class<T> type) {
    T feature = store.feature(type);
    if (feature == null) {
      throw new IllegalStateException(store + " has no " + type.getSimpleName());
    }
    return feature;
  }
}
