package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRequest;

/** What a step wants done outside. {@link ShutGate} is carried out before all others. */
public sealed interface Effect {

  /** Send this request, and bring its answer back with the same sequence. */
  record Ask(long sequence, LeaseRequest request) implements Effect {}

  /** Let calls pass until the grant's deadline; also said at every renewal. */
  record OpenGate(Grant grant) implements Effect {}

  /** Let no call pass. */
  record ShutGate() implements Effect {}

  /** Tell whoever listens. */
  record Announce(ElectionEvent event) implements Effect {}
}
