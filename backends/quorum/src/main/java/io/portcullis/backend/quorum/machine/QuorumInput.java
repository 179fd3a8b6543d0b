package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.LeaseRequest;
import org.jspecify.annotations.Nullable;

/** What a step can be told. */
public sealed interface QuorumInput {

  /** Time has passed. */
  record Tick() implements QuorumInput {}

  /** This node's election asks for something; a new question takes the place of the last one. */
  record Asked(long id, LeaseRequest request) implements QuorumInput {}

  /** A message of this member has arrived. */
  record Received(int from, QuorumMessage message) implements QuorumInput {}

  /** There is a way to this member now, and its process is the one named. */
  record Linked(int member, String identity, @Nullable String address) implements QuorumInput {}

  /** There is no way to this member. */
  record Unlinked(int member) implements QuorumInput {}

  /** The ballot could not be saved; what was to be done after it was not done. */
  record SaveFailed(String why) implements QuorumInput {}

  /** A ballot was saved after others could not be. */
  record SavedAgain() implements QuorumInput {}
}
