package io.portcullis.election.machine;

import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A command to the election, from the operator or the agent. */
public sealed interface Command {

  /**
   * Hand over, and stay out until another node leads or two leases have passed.
   *
   * @param to the next leader by the store's name for it; the command then has an effect only on
   *     the leader. Null for any node
   */
  record StepDown(Duration drain, @Nullable String to, String why) implements Command {
    public StepDown {
      Objects.requireNonNull(why, "why");
      checkDrain(drain);
    }

    /** Hands over to any node. */
    public StepDown(Duration drain) {
      this(drain, null, WithdrawalReason.STEPPED_DOWN.description());
    }
  }

  /** Hand over if leading, and stay out for this reason until {@link Rejoin}. */
  record Withdraw(WithdrawalReason reason, Duration drain, String why) implements Command {
    public Withdraw {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(why, "why");
      checkDrain(drain);
    }

    /** Uses the reason's description as the explanation. */
    public Withdraw(WithdrawalReason reason, Duration drain) {
      this(reason, drain, reason.description());
    }
  }

  /** Remove a reason to stay out. */
  record Rejoin(WithdrawalReason reason) implements Command {
    public Rejoin {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** Hand over if leading, and stop. */
  record Stop(Duration drain) implements Command {
    public Stop {
      checkDrain(drain);
    }
  }

  /** Maximum time to wait for calls in flight. */
  Duration MAX_DRAIN = Duration.ofDays(1);

  private static void checkDrain(Duration drain) {
    if (drain.isNegative() || drain.compareTo(MAX_DRAIN) > 0) {
      throw new IllegalArgumentException(
          "drain is " + drain + "; it must be from zero to " + MAX_DRAIN);
    }
  }
}
