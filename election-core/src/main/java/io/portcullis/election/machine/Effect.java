package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRequest;

/** A side effect that a step requests. {@link ShutGate} is executed before all others. */
public sealed interface Effect {

  /** Send this request, and deliver its response with the same sequence number. */
  record Ask(long sequence, LeaseRequest request) implements Effect {}

  /** Let calls pass until the grant's deadline; repeated at every renewal. */
  record OpenGate(Grant grant) implements Effect {}

  /** Let no call pass. */
  record ShutGate() implements Effect {}

  /** Notify listeners. */
  record Announce(ElectionEvent event) implements Effect {}
}
