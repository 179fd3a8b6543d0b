package io.portcullis.election.backend;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One election's settings, found to be right: all that is needed to take part. */
public interface StorePlan {

  /** The timings, checked as a whole. */
  Timing timing();

  /**
   * What two elections must not share: equal for two plans that would write the same lease. Holds
   * no secret.
   */
  String storeKey();

  /** Where the lease is, for people; holds no secret. */
  String describe();

  /** Sentences about what is allowed and yet worth a line in the log; they hold no secret. */
  default List<String> warnings() {
    return List.of();
  }

  /** Whether a leader can learn from the store that a node of this priority wants to lead. */
  default boolean carriesPriorityRequestOf(int priority) {
    return false;
  }

  /**
   * Opens the way to the store. Returns at once, also when the store can't be reached: then its
   * answers are unknown until it can.
   */
  LeaseStore open(ElectionConfig config);

  /**
   * Opens the way for a node that only votes and never leads. Null if this kind of store needs no
   * votes.
   */
  default @Nullable LeaseStore openWitness(ElectionConfig config) {
    return null;
  }
}
