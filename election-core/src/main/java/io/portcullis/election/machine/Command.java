package io.portcullis.election.machine;

import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What somebody in charge of the node asks of it. */
public sealed interface Command {

  /**
   * Hand over, and stay out until another leads or two leases have passed.
   *
   * @param to who should lead next by the store's name for it; then it is an order to the leader
   *     alone. Null for whoever comes first
   */
  record StepDown(Duration drain, @Nullable String to, String why) implements Command {
    /** Refuses what can't be. */
    public StepDown {
      Objects.requireNonNull(why, "why");
      checkDrain(drain);
    }

    /** To whoever comes first. */
    public StepDown(Duration drain) {
      this(drain, null, WithdrawalReason.STEPPED_DOWN.description());
    }
  }

  /** Hand over if leading, and stay out for this reason until {@link Rejoin}. */
  record Withdraw(WithdrawalReason reason, Duration drain, String why) implements Command {
    /** Refuses what can't be. */
    public Withdraw {
      Objects.requireNonNull(reason, "absence");
      Objects.requireNonNull(why, "why");
      checkDrain(drain);
    }

    /** In the reason's own words. */
    public Withdraw(WithdrawalReason absence, Duration drain) {
      this(absence, drain, absence.description());
    }
  }

  /** The reason to stay out is gone. */
  record Rejoin(WithdrawalReason reason) implements Command {
    /** Refuses what can't be. */
    public Rejoin {
      Objects.requireNonNull(reason, "absence");
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
  Duration MAX_DRAIN = Duration.ofDays(1);

  private static void checkDrain(Duration drain) {
    if (drain.isNegative() || drain.compareTo(MAX_DRAIN) > 0) {
      throw new IllegalArgumentException(
          "drain is " + drain + "; it must be from zero to " + MAX_DRAIN);
    }
  }
}
