package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of the leader: the gate is open until the grant's deadline, and renewals move that deadline.
 * A response that is {@link LeaseResponse.Unknown} does not move it.
 *
 * @param config the election's configuration
 * @param memory what was seen
 * @param grant the right to act
 * @param grantedAt the clocks when the request behind the grant was sent
 * @param pending the renewal in flight
 * @param nextRenewAtNanos when to renew next if none is in flight
 * @param failures number of consecutive failed renewals
 * @param hinted whether something may have changed since the pending renewal was sent
 */
public record Leading(
    ElectionConfig config,
    Memory memory,
    Grant grant,
    ClockReading grantedAt,
    @Nullable RequestInFlight pending,
    long nextRenewAtNanos,
    int failures,
    boolean hinted)
    implements Role {

  /** Opens the gate under a grant that is live now. */
  static Step open(
      ElectionConfig config,
      Memory memory,
      Grant grant,
      RequestInFlight asked,
      StepContext now,
      String why) {
    Leading leading =
        renewed(config, memory.withSelfLeading(config, grant.epoch()), grant, asked, now);
    return Step.to(
        leading,
        new Effect.OpenGate(grant),
        new Effect.Announce(new ElectionEvent.StartedLeading(grant.epoch(), why)));
  }

  private static Leading renewed(
      ElectionConfig config, Memory memory, Grant grant, RequestInFlight asked, StepContext now) {
    Timing timing = config.timing();
    double stretch = 1 + timing.renewJitter() * (2 * now.chance() - 1);
    long next = asked.sentAt().nanos() + (long) (timing.renew().toNanos() * stretch);
    return new Leading(config, memory, grant, asked.sentAt(), null, next, 0, false);
  }

  @Override
  public Step passTime(StepContext now) {
    if (!grant.liveAt(now.nanos())) {
      return Lapsed.after(this, LossReason.LEASE_RAN_OUT, "lease ran out", now);
    }
    if (now.clocks().disagreesWith(grantedAt, timing().marginNanos())) {
      String why = "wall clock and monotonic clock diverged";
      return Lapsed.after(this, LossReason.CLOCKS_DISAGREE, why, now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos()) ? onUnknown(now) : stay();
    }
    return now.hasReached(nextRenewAtNanos) ? renew(now) : stay();
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    if (response instanceof Granted won) {
      return won.epoch() == grant.epoch() ? onRenewed(asked, won, now) : onLost(memory, now);
    }
    if (response instanceof HeldByOther held) {
      return onGone(held.record(), now);
    }
    return onUnknown(now);
  }

  private Step onRenewed(RequestInFlight asked, Granted won, StepContext now) {
    Grant next = grant.orLater(Grant.of(grant.epoch(), asked, timing()));
    if (now.clocks().disagreesWith(asked.sentAt(), timing().marginNanos())) {
      return onUnknown(now); // It is unknown how long this response was in flight.
    }
    Leading renewed = renewed(config, memory.withGrant(won), next, asked, now);
    return lookingAgain(Step.to(renewed, new Effect.OpenGate(next)));
  }

  private Step onGone(LeaseRecord seen, StepContext now) {
    Memory known = memory.withObserved(seen, config, now);
    return seen.isHeldBy(config.identity(), grant.epoch()) && known.trustsWhatItSaw()
        // Only the lease's own entry was removed: let calls end, then mark the record released.
        ? beginDrain(
            known,
            WithdrawalReasons.NONE,
            LossReason.LEASE_LOST,
            lost(),
            timing().drain(),
            null,
            now)
        : onLost(known, now);
  }

  private Step onLost(Memory known, StepContext now) {
    return Step.to(
        Standby.pausing(config, known.withSpentEpoch(grant.epoch()), now),
        new Effect.ShutGate(),
        new Effect.Announce(
            new ElectionEvent.StoppedLeading(grant.epoch(), LossReason.LEASE_LOST, lost())));
  }

  private static String lost() {
    return "the store no longer shows this node's lease";
  }

  private Step onUnknown(StepContext now) {
    int failed = failures + 1;
    if (timing().stepDownAfterRetries() && failed > timing().retry().size()) {
      String why = "renewal failed " + failed + " times";
      return beginDrain(
          memory,
          WithdrawalReasons.NONE,
          LossReason.RENEWAL_FAILED,
          why,
          timing().drain(),
          null,
          now);
    }
    long next = now.plus(timing().retryPauseNanos(failed));
    return lookingAgain(unrenewed(next, failed));
  }

  private Step unrenewed(long nextRenewAt, int failed) {
    return Step.to(new Leading(config, memory, grant, grantedAt, null, nextRenewAt, failed, false));
  }

  /** Renews soon after a hint, because the response may be older than the hint. */
  private Step lookingAgain(Step answered) {
    return hinted
        ? answered.then(((Leading) answered.role()).renewNoLaterThan(nextHintedAskNanos()))
        : answered;
  }

  private long nextHintedAskNanos() {
    return memory.nextHintedAskNanos(timing());
  }

  private Step beginDrain(
      Memory known,
      WithdrawalReasons reasons,
      LossReason ending,
      String why,
      Duration drain,
      @Nullable String successor,
      StepContext now) {
    ElectionEvent stoppedEvent = new ElectionEvent.StoppedLeading(grant.epoch(), ending, why);
    return Draining.begin(config, known, grant, drain, reasons, stoppedEvent, successor, now)
        .after(new Effect.ShutGate());
  }

  @Override
  public Step onHint(StepContext now) {
    if (pending != null) {
      return Step.to(
          new Leading(config, memory, grant, grantedAt, pending, nextRenewAtNanos, failures, true));
    }
    long soon = nextHintedAskNanos();
    return now.hasReached(soon) ? renew(now) : renewNoLaterThan(soon);
  }

  @Override
  public Step onRecordPushed(LeaseRecord seen, StepContext now) {
    return seen.isHeldBy(config.identity(), grant.epoch()) ? stay() : onGone(seen, now);
  }

  private Step renewNoLaterThan(long atNanos) {
    return nextRenewAtNanos - atNanos > 0 ? unrenewed(atNanos, failures) : stay();
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    if (command instanceof Command.StepDown stepDown) {
      return leave(
          WithdrawalReason.STEPPED_DOWN, stepDown.why(), stepDown.drain(), stepDown.to(), now);
    }
    if (command instanceof Command.Withdraw withdraw) {
      return leave(withdraw.reason(), withdraw.why(), withdraw.drain(), null, now);
    }
    if (command instanceof Command.Stop stop) {
      return leave(
          WithdrawalReason.STOPPED,
          WithdrawalReason.STOPPED.description(),
          stop.drain(),
          null,
          now);
    }
    return stay(); // Rejoin: already in.
  }

  private Step leave(
      WithdrawalReason reason,
      String why,
      Duration drain,
      @Nullable String successor,
      StepContext now) {
    WithdrawalReasons reasons = WithdrawalReasons.NONE.plus(reason);
    return beginDrain(memory, reasons, LossReason.of(reason), why, drain, successor, now);
  }

  private Step renew(StepContext now) {
    Memory asking = memory.withRequestSent(now);
    RequestInFlight next = RequestInFlight.renewal(config, asking, grant.epoch(), now);
    return Step.to(
        new Leading(config, asking, grant, grantedAt, next, nextRenewAtNanos, failures, false),
        next.effect());
  }

  private Step stay() {
    return Step.to(this);
  }

  private Timing timing() {
    return config.timing();
  }

  @Override
  public OptionalLong wakeAtNanos() {
    long due = pending == null ? nextRenewAtNanos : pending.overdueAtNanos();
    return OptionalLong.of(due - grant.deadlineNanos() < 0 ? due : grant.deadlineNanos());
  }

  @Override
  public RoleName name() {
    return RoleName.LEADER;
  }
}
