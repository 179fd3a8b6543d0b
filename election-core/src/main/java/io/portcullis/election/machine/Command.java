package io.portcullis.election.machine;

import java.time.Duration;
import java.util.Objects;

/** What somebody in charge of the node asks of it. */
public sealed interface Command {

  /** Hand over, and stay out until another leads or two leases have passed. */
  record StepDown(Duration drain) implements Command {
    /** Refuses what can't be. */
    public StepDown {
      checkDrain(drain);
    }
  }

  /** Hand over if leading, and stay out for this reason until {@link Rejoin}. */
  record Withdraw(Absence absence, Duration drain) implements Command {
    /** Refuses what can't be. */
    public Withdraw {
      Objects.requireNonNull(absence, "absence");
      checkDrain(drain);
    }
  }

  /** The reason to stay out is gone. */
  record Rejoin(Absence absence) implements Command {
    /** Refuses what can't be. */
    public Rejoin {
      Objects.requireNonNull(absence, "absence");
    }
  }

  /** Hand over if leading, and end. */
  record Stop(Duration drain) implements Command {
    /** Refuses what can't be. */
    public Stop {
      checkDrain(drain);
    }
  }

  /** The longest that calls can be waited for. */
  Duration LONGEST_DRAIN = Duration.ofDays(1);

  private static void checkDrain(Duration drain) {
    if (drain.isNegative() || drain.compareTo(LONGEST_DRAIN) > 0) {
      throw new IllegalArgumentException(
          "drain is " + drain + "; it must be from zero to " + LONGEST_DRAIN);
    }
  }
}
