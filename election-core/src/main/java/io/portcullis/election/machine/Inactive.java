package io.portcullis.election.machine;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.Standby.FailedAttempts;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that does not campaign for now, but continues to observe who leads. If a claim
 * from before is granted after all, the lease is given back.
 *
 * @param config the election's configuration
 * @param memory what was seen
 * @param withdrawalReasons why it does not campaign; never empty
 * @param rejoinAtNanos when having stepped down ceases to be a reason
 * @param epochAtStart the highest epoch seen when it became inactive
 * @param pending the request in flight
 * @param nextLookAtNanos when to read the record next if no request is in flight
 */
public record Inactive(
    ElectionConfig config,
    Memory memory,
    WithdrawalReasons withdrawalReasons,
    long rejoinAtNanos,
    long epochAtStart,
    @Nullable RequestInFlight pending,
    long nextLookAtNanos)
    implements Role {

  /**
   * Returns an inactive role, or {@link Stopped} if a stop was requested and no request is in
   * flight.
   */
  static Role waitingFor(
      ElectionConfig config,
      Memory memory,
      WithdrawalReasons reasons,
      @Nullable RequestInFlight pending,
      StepContext now) {
    long backAt = now.plus(2 * config.timing().lease().toNanos());
    return new Inactive(
            config, memory, reasons, backAt, memory.highestEpoch(), pending, now.nanos())
        .orStopped();
  }

  private Role orStopped() {
    return withdrawalReasons.contains(WithdrawalReason.STOPPED) && pending == null
        ? new Stopped(memory)
        : this;
  }

  @Override
  public Step passTime(StepContext now) {
    if (withdrawalReasons.contains(WithdrawalReason.STEPPED_DOWN)
        && (now.hasReached(rejoinAtNanos) || hasAnotherLed())) {
      return returning(withdrawalReasons.minus(WithdrawalReason.STEPPED_DOWN), now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos()) ? onUnknown(now) : Step.to(this);
    }
    return now.hasReached(nextLookAtNanos)
        ? ask(memory, new LeaseRequest.Look(), now)
        : Step.to(this);
  }

  /**
   * True also if that node has released the lease again: two nodes that step down must not both
   * stay out.
   */
  private boolean hasAnotherLed() {
    ObservedRecord observed = memory.observed();
    return memory.leader() != null
        || (observed != null
            && observed.record().epoch() > epochAtStart
            && !observed.record().holder().isEmpty()
            && !observed.record().holder().equals(config.identity()));
  }

  private Step returning(WithdrawalReasons left, StepContext now) {
    return Step.to(
        left.isEmpty()
            ? new Standby(config, memory, pending, now.nanos(), FailedAttempts.NONE, false)
            : new Inactive(
                    config, memory, left, rejoinAtNanos, epochAtStart, pending, nextLookAtNanos)
                .orStopped());
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    if (response instanceof Granted won && asked.request() instanceof LeaseRequest.Acquire) {
      return giveBack(memory.withGrant(won), won.epoch(), now);
    }
    if (response instanceof HeldByOther held) {
      LeaseRecord seen = held.record();
      Memory known = memory.withObserved(seen, config, now);
      return seen.isHeldBy(config.identity(), seen.epoch())
              && !(asked.request() instanceof LeaseRequest.Release)
              && known.trustsWhatItSaw()
          ? giveBack(known, seen.epoch(), now)
          : lookLater(known, config.timing().heldBackoff(), now);
    }
    return onUnknown(now);
  }

  /**
   * Releases the epoch; but while calls of an earlier tenure are running, the record runs out
   * instead.
   */
  private Step giveBack(Memory known, long epoch, StepContext now) {
    Memory spent = known.withSpentEpoch(epoch);
    return now.callsInFlight() == 0
        ? release(spent, epoch, now)
        : lookLater(spent, config.timing().heldBackoff(), now);
  }

  private Step release(Memory spent, long epoch, StepContext now) {
    Memory asking = spent.withRequestSent(now);
    return waitFor(asking, RequestInFlight.release(config, asking, epoch, now));
  }

  private Step onUnknown(StepContext now) {
    return lookLater(memory, config.timing().unknownBackoff(), now);
  }

  private Step lookLater(Memory known, Backoff backoff, StepContext now) {
    long next = now.plus(backoff.pauseNanos(1, now.chance()));
    return Step.to(
        new Inactive(config, known, withdrawalReasons, rejoinAtNanos, epochAtStart, null, next)
            .orStopped());
  }

  private Step ask(Memory known, LeaseRequest request, StepContext now) {
    Memory asking = known.withRequestSent(now);
    return waitFor(asking, RequestInFlight.of(asking, request, now, config.timing()));
  }

  private Step waitFor(Memory asking, RequestInFlight next) {
    return Step.to(
        new Inactive(
            config, asking, withdrawalReasons, rejoinAtNanos, epochAtStart, next, nextLookAtNanos),
        next.effect());
  }

  @Override
  public Step onHint(StepContext now) {
    return pending != null || memory.isTooSoonForAHint(now, config.timing())
        ? Step.to(this)
        : ask(memory, new LeaseRequest.Look(), now);
  }

  @Override
  public Step onRecordPushed(LeaseRecord seen, StepContext now) {
    return pending != null || seen.holder().equals(config.identity())
        ? onHint(now)
        : lookLater(memory.withObserved(seen, config, now), config.timing().heldBackoff(), now);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    return command instanceof Command.StepDown
        ? Step.to(this) // Neither leading nor about to lead.
        : returning(withdrawalReasons.after(command), now);
  }

  @Override
  public OptionalLong wakeAtNanos() {
    long due = pending == null ? nextLookAtNanos : pending.overdueAtNanos();
    boolean backFirst =
        withdrawalReasons.contains(WithdrawalReason.STEPPED_DOWN) && rejoinAtNanos - due < 0;
    return OptionalLong.of(backFirst ? rejoinAtNanos : due);
  }

  @Override
  public RoleName name() {
    return withdrawalReasons.roleName();
  }
}
