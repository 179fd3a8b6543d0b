package io.portcullis.election.machine;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that campaigns: it observes the record, waits it out, and claims the lease. The
 * gate is shut.
 *
 * @param config the election's configuration
 * @param memory what was seen
 * @param pending the request in flight
 * @param nextAskAtNanos when to send the next request if none is in flight
 * @param failedAttempts consecutive failed attempts
 * @param hinted whether something may have changed since the pending request was sent
 */
public record Standby(
    ElectionConfig config,
    Memory memory,
    @Nullable RequestInFlight pending,
    long nextAskAtNanos,
    FailedAttempts failedAttempts,
    boolean hinted)
    implements Role {

  /** Minimum interval between requests that are triggered by hints. */
  private static final long MIN_HINT_INTERVAL_NANOS = 10_000_000;

  static Standby askingAt(ElectionConfig config, Memory memory, long nextAskAtNanos) {
    return new Standby(config, memory, null, nextAskAtNanos, FailedAttempts.NONE, false);
  }

  /** A node that has just lost or released the lease pauses first, so that others can claim it. */
  static Standby pausing(ElectionConfig config, Memory memory, StepContext now) {
    long pause = config.timing().unknownBackoff().pauseNanos(1, now.chance());
    return askingAt(config, memory, now.plus(pause));
  }

  @Override
  public Step passTime(StepContext now) {
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos()) ? unanswered(memory, now) : stay();
    }
    return now.hasReached(nextAskAtNanos) ? ask(memory, nextRequest(now), now) : stay();
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    if (response instanceof Granted won) {
      return onGranted(asked, won, now);
    }
    if (response instanceof HeldByOther held) {
      return onRecord(asked, held.record(), now);
    }
    return unanswered(memory, now);
  }

  private Step onGranted(RequestInFlight asked, Granted won, StepContext now) {
    if (!(asked.request() instanceof LeaseRequest.Acquire)) {
      return unanswered(memory, now); // Not a response to a claim.
    }
    if (won.epoch() <= memory.highestEpoch() || won.epoch() <= memory.spentEpoch()) {
      // The store broke its promise: never lead under this epoch, even if the record names us.
      return unanswered(memory.withSpentEpoch(won.epoch()), now);
    }
    Memory known = memory.withGrant(won);
    Grant grant = Grant.of(won.epoch(), asked, timing());
    return grant.liveAt(now.nanos())
            && !now.clocks().disagreesWith(asked.sentAt(), timing().marginNanos())
        ? Leading.open(config, known, grant, asked, now, "lease acquired")
        : Lapsed.holding(config, known, won.epoch(), now);
  }

  private Step onRecord(RequestInFlight asked, LeaseRecord seen, StepContext now) {
    Memory known = memory.withObserved(seen, config, now);
    ObservedRecord observed = known.observed();
    if (observed == null) {
      throw new AssertionError("saw nothing in " + seen);
    }
    if (seen.isHeld() && seen.holder().equals(config.identity())) {
      // An earlier claim was granted, but its response was lost; or a release was lost.
      if (seen.epoch() <= memory.spentEpoch()) {
        return asked.request() instanceof LeaseRequest.Release
                || now.callsInFlight() > 0
                || !observed.trusted()
            ? unanswered(known, now)
            : releaseAgain(known, seen.epoch(), now);
      }
      if (observed.trusted() && memory.incarnation() != null) {
        return Lapsed.holding(config, known, seen.epoch(), now);
      }
    }
    if (hasNewEvidence(asked, observed, now)) {
      return Step.to(askingAt(config, known, now.nanos()));
    }
    if (hinted) {
      return Step.to(askingAt(config, known, known.nextHintedAskNanos(MIN_HINT_INTERVAL_NANOS)));
    }
    return backOff(known, failedAttempts.plusOne(false), now);
  }

  private Step releaseAgain(Memory known, long epoch, StepContext now) {
    Memory asking = known.withRequestSent(now);
    return waitFor(asking, RequestInFlight.release(config, asking, epoch, now));
  }

  /** True if the next claim has more evidence than the one just refused. */
  private static boolean hasNewEvidence(
      RequestInFlight asked, ObservedRecord observed, StepContext now) {
    return observed.hasEndedBy(now)
        && !(asked.request() instanceof LeaseRequest.Acquire acquire
            && observed.record().recordVersion().equals(acquire.claim().waitedOut()));
  }

  private Step noLaterThan(Step waiting, long atNanos) {
    Standby standby = (Standby) waiting.role();
    return standby.nextAskAtNanos - atNanos > 0
        ? Step.to(new Standby(config, standby.memory, null, atNanos, standby.failedAttempts, false))
        : waiting;
  }

  @Override
  public Step onHint(StepContext now) {
    if (pending != null) {
      return Step.to(new Standby(config, memory, pending, nextAskAtNanos, failedAttempts, true));
    }
    long soon = memory.nextHintedAskNanos(MIN_HINT_INTERVAL_NANOS);
    return now.hasReached(soon) ? ask(memory, nextRequest(now), now) : noLaterThan(stay(), soon);
  }

  @Override
  public Step onRecordPushed(LeaseRecord shown, StepContext now) {
    if (pending != null || shown.holder().equals(config.identity())) {
      return onHint(now);
    }
    Memory known = memory.withObserved(shown, config, now);
    ObservedRecord observed = known.observed();
    return observed != null && observed.hasEndedBy(now)
        ? Step.to(askingAt(config, known, known.nextHintedAskNanos(MIN_HINT_INTERVAL_NANOS)))
        : backOff(known, failedAttempts.plusOne(false), now);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    if (command instanceof Command.StepDown stepDown) {
      return stepDown.to() != null
          ? stay()
          : withdraw(WithdrawalReason.STEPPED_DOWN, now); // A claim in flight may still be granted.
    }
    if (command instanceof Command.Withdraw withdraw) {
      return withdraw(withdraw.reason(), now);
    }
    if (command instanceof Command.Stop) {
      return withdraw(WithdrawalReason.STOPPED, now);
    }
    return stay(); // Rejoin: already campaigning.
  }

  private Step withdraw(WithdrawalReason reason, StepContext now) {
    return Step.to(
        Inactive.waitingFor(config, memory, WithdrawalReasons.NONE.plus(reason), pending, now));
  }

  private LeaseRequest nextRequest(StepContext now) {
    if (!memory.mayClaimAt(now)) {
      return new LeaseRequest.Look(); // Not even a release can be trusted yet.
    }
    return new LeaseRequest.Acquire(
        new Claim(
            config.identity(),
            config.address(),
            timing().lease(),
            memory.longestLease(timing().longestLease()),
            memory.highestEpoch(),
            memory.waitedOutBy(now),
            memory.incarnation(),
            timing().firstElection() == FirstElection.AT_ONCE && memory.highestEpoch() == 0));
  }

  private Step ask(Memory known, LeaseRequest request, StepContext now) {
    Memory asking = known.withRequestSent(now);
    return waitFor(asking, RequestInFlight.of(asking, request, now, timing()));
  }

  private Step waitFor(Memory asking, RequestInFlight next) {
    return Step.to(
        new Standby(config, asking, next, nextAskAtNanos, failedAttempts, false), next.effect());
  }

  private Step unanswered(Memory known, StepContext now) {
    return backOff(known, failedAttempts.plusOne(true), now);
  }

  /**
   * Schedules the next request after a pause, but not later than the known end of the holder's
   * lease.
   */
  private Step backOff(Memory known, FailedAttempts again, StepContext now) {
    long next = now.plus(again.pauseNanos(timing(), now.chance()));
    Step waiting = Step.to(new Standby(config, known, null, next, again, false));
    ObservedRecord observed = known.observed();
    return observed == null || observed.hasEndedBy(now)
        ? waiting
        : noLaterThan(waiting, observed.endsAtNanos());
  }

  private Step stay() {
    return Step.to(this);
  }

  private Timing timing() {
    return config.timing();
  }

  @Override
  public OptionalLong wakeAtNanos() {
    return OptionalLong.of(pending == null ? nextAskAtNanos : pending.overdueAtNanos());
  }

  @Override
  public RoleName name() {
    return memory.leader() == null ? RoleName.CANDIDATE : RoleName.STANDBY;
  }

  /**
   * Number of consecutive failed attempts of one kind: the lease is held by another node, or there
   * was no response. The kinds are counted separately, because a long backoff while another node
   * leads is no reason for a long backoff after a missing response.
   *
   * @param tries the number of attempts
   * @param unanswered whether there was no response
   */
  record FailedAttempts(int tries, boolean unanswered) {
    static final FailedAttempts NONE = new FailedAttempts(0, false);

    FailedAttempts plusOne(boolean withoutResponse) {
      return new FailedAttempts(withoutResponse == unanswered ? tries + 1 : 1, withoutResponse);
    }

    long pauseNanos(Timing timing, double chance) {
      Backoff backoff = unanswered ? timing.unknownBackoff() : timing.heldBackoff();
      return backoff.pauseNanos(tries, chance);
    }
  }
}
