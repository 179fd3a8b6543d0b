package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/** Input of one step of the machine. */
public sealed interface QuorumInput {

  /** Time has passed. */
  record Tick() implements QuorumInput {}

  /** This node's election sent a request; a new request replaces the previous one. */
  record Asked(long id, LeaseRequest request) implements QuorumInput {}

  /** A message from this member has arrived. */
  record Received(int from, QuorumMessage message) implements QuorumInput {}

  /** This member is connected, and the named process runs as it. */
  record Linked(int member, String identity, @Nullable String address) implements QuorumInput {}

  /** This member is no longer connected. */
  record Unlinked(int member) implements QuorumInput {}

  /** The ballot could not be saved; the effects after it were not executed. */
  record SaveFailed(String why) implements QuorumInput {}

  /** A ballot was saved after an earlier save had failed. */
  record SavedAgain() implements QuorumInput {}
}
