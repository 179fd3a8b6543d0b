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
 * Does not campaign for now, but goes on looking who leads. Should a claim from before be granted
 * after all, it is given back.
 *
 * @param config the election
 * @param memory what was seen
 * @param withdrawalReasons why it does not campaign; never none
 * @param rejoinAtNanos when having stepped down is no reason any more
 * @param epochAtStart the highest epoch seen when it began to rest
 * @param pending the request under way
 * @param nextLookAtNanos when to look next if none is
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

  /** Stays out, or is gone for good if that is asked and nothing is under way. */
  static Role waitingFor(
      ElectionConfig config,
      Memory memory,
      WithdrawalReasons absences,
      @Nullable RequestInFlight pending,
      StepContext now) {
    long backAt = now.plus(2 * config.timing().lease().toNanos());
    return new Inactive(
            config, memory, absences, backAt, memory.highestEpoch(), pending, now.nanos())
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

  /** Also if that one has let go again since: two nodes that step down must not both stay out. */
  private boolean hasAnotherLed() {
    ObservedRecord sighting = memory.observed();
    return memory.leader() != null
        || (sighting != null
            && sighting.record().epoch() > epochAtStart
            && !sighting.record().holder().isEmpty()
            && !sighting.record().holder().equals(config.identity()));
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
  public Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now) {
    if (answer instanceof Granted won && asked.request() instanceof LeaseRequest.Acquire) {
      return giveBack(memory.withGrant(won), won.epoch(), now);
    }
    if (answer instanceof HeldByOther held) {
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

  /** While calls of an earlier tenure are running, the record rather runs out. */
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

  private Step lookLater(Memory known, Backoff pace, StepContext now) {
    long next = now.plus(pace.pauseNanos(1, now.chance()));
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
        ? Step.to(this) // Not leading, nor about to.
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
