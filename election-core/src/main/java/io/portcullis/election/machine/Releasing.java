package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Has told the store that its gate is shut, and waits for the reply, which changes nothing: the
 * epoch is spent whatever it says (invariant 7). Only then do listeners hear.
 *
 * @param config the election
 * @param memory what was seen; the epoch is spent
 * @param pending the release under way
 * @param withdrawalReasons why the node will not campaign afterwards
 * @param stoppedEvent what listeners hear afterwards, null if they know already
 */
public record Releasing(
    ElectionConfig config,
    Memory memory,
    RequestInFlight pending,
    WithdrawalReasons withdrawalReasons,
    @Nullable ElectionEvent stoppedEvent)
    implements Role {

  /** Sends the release of {@code epoch}, with a wish who should follow. */
  static Step begin(
      ElectionConfig config,
      Memory memory,
      long epoch,
      WithdrawalReasons absences,
      @Nullable ElectionEvent farewell,
      @Nullable String successor,
      StepContext now) {
    Memory asking = memory.withSpentEpoch(epoch).withRequestSent(now);
    RequestInFlight next = RequestInFlight.release(config, asking, epoch, successor, now);
    return Step.to(new Releasing(config, asking, next, absences, farewell), next.effect());
  }

  /** Nothing is left to release. */
  static Step done(
      ElectionConfig config,
      Memory memory,
      WithdrawalReasons absences,
      @Nullable ElectionEvent farewell,
      StepContext now) {
    Role next =
        absences.isEmpty()
            ? Standby.pausing(config, memory, now)
            : Inactive.waitingFor(config, memory, absences, null, now);
    return farewell == null ? Step.to(next) : Step.to(next, new Effect.Announce(farewell));
  }

  @Override
  public Step passTime(StepContext now) {
    return now.hasReached(pending.overdueAtNanos())
        ? done(config, memory, withdrawalReasons, stoppedEvent, now)
        : Step.to(this);
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now) {
    Memory known =
        answer instanceof HeldByOther held
            ? memory.withObserved(held.record(), config, now)
            : memory;
    return done(config, known, withdrawalReasons, stoppedEvent, now);
  }

  @Override
  public Step onHint(StepContext now) {
    return Step.to(this);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    return Step.to(
        new Releasing(config, memory, pending, withdrawalReasons.after(command), stoppedEvent));
  }

  @Override
  public OptionalLong wakeAtNanos() {
    return OptionalLong.of(pending.overdueAtNanos());
  }

  @Override
  public RoleName name() {
    return withdrawalReasons.roleName();
  }
}
