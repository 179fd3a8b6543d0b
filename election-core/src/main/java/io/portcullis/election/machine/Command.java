package io.portcullis.election.machine;

import java.time.Duration;

/** What somebody in charge of the node asks of it. */
public sealed interface Command {

  /** Hand over, and stay out until another leads or two leases have passed. */
  record StepDown(Duration drain) implements Command {}

  /** Hand over if leading, and stay out for this reason until {@link Rejoin}. */
  record Withdraw(Absence absence, Duration drain) implements Command {}

  /** The reason to stay out is gone. */
  record Rejoin(Absence absence) implements Command {}

  /** Hand over if leading, and end. */
  record Stop(Duration drain) implements Command {}
}
