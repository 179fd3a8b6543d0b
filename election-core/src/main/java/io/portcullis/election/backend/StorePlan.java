package io.portcullis.election.backend;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validated settings of one election's store, from which the store can be opened. */
public interface StorePlan {

  /** The timing, already validated. */
  Timing timing();

  /**
   * Identifies the lease: equal for two plans that would write the same lease. Two elections must
   * not share it. Contains no secret.
   */
  String storeKey();

  /** Location of the lease, for display. Contains no secret. */
  String describe();

  /** Warnings to log about settings that are valid but questionable. They contain no secret. */
  default List<String> warnings() {
    return List.of();
  }

  /** Facts about the store that a user should know before the start. They contain no secret. */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Whether a program that does not take part in the election may open the store to look at the
   * lease. False if opening it takes part, because the nodes themselves are the store.
   */
  default boolean isOutsideNodes() {
    return true;
  }

  /** Whether the store can carry a priority request from a node of this priority to the leader. */
  default boolean carriesPriorityRequestOf(int priority) {
    return false;
  }

  /**
   * Opens the store. Returns immediately, even if the store can't be reached: its responses are
   * then unknown until it can.
   */
  LeaseStore open(ElectionConfig config);

  /**
   * Opens the store for a node that only votes and never leads. Null if this kind of store needs no
   * votes.
   */
  default @Nullable LeaseStore openWitness(ElectionConfig config) {
    return null;
  }
}
