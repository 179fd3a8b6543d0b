package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that has sent a release after shutting its gate, and waits for the response, which
 * changes nothing: the epoch is spent whatever the response is (invariant 7). Listeners are
 * notified only afterwards.
 *
 * @param config the election's configuration
 * @param memory what was seen; the epoch is spent
 * @param pending the release in flight
 * @param withdrawalReasons why the node will not campaign afterwards
 * @param stoppedEvent the event for listeners afterwards, null if already announced
 */
public record Releasing(
    ElectionConfig config,
    Memory memory,
    RequestInFlight pending,
    WithdrawalReasons withdrawalReasons,
    @Nullable ElectionEvent stoppedEvent)
    implements Role {

  /** Sends the release of {@code epoch}, with the preferred successor. */
  static Step begin(
      ElectionConfig config,
      Memory memory,
      long epoch,
      WithdrawalReasons reasons,
      @Nullable ElectionEvent stoppedEvent,
      @Nullable String successor,
      StepContext now) {
    Memory asking = memory.withSpentEpoch(epoch).withRequestSent(now);
    RequestInFlight next = RequestInFlight.release(config, asking, epoch, successor, now);
    return Step.to(new Releasing(config, asking, next, reasons, stoppedEvent), next.effect());
  }

  /** Ends the tenure when there is nothing left to release. */
  static Step done(
      ElectionConfig config,
      Memory memory,
      WithdrawalReasons reasons,
      @Nullable ElectionEvent stoppedEvent,
      StepContext now) {
    Role next =
        reasons.isEmpty()
            ? Standby.pausing(config, memory, now)
            : Inactive.waitingFor(config, memory, reasons, null, now);
    return stoppedEvent == null ? Step.to(next) : Step.to(next, new Effect.Announce(stoppedEvent));
  }

  @Override
  public Step passTime(StepContext now) {
    return now.hasReached(pending.overdueAtNanos())
        ? done(config, memory, withdrawalReasons, stoppedEvent, now)
        : Step.to(this);
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    Memory known =
        response instanceof HeldByOther held
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
