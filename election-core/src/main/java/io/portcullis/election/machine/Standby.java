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
 * Wants to lead: watches the record, waits it out, and claims the lease. The gate is shut.
 *
 * @param config the election
 * @param memory what was seen
 * @param pending the request under way
 * @param nextAskAtNanos when to ask next if none is
 * @param failedAttempts how often it asked in vain
 * @param hinted whether something may have changed since the pending request left
 */
public record Standby(
    ElectionConfig config,
    Memory memory,
    @Nullable RequestInFlight pending,
    long nextAskAtNanos,
    FailedAttempts failedAttempts,
    boolean hinted)
    implements Role {

  /** Hints make a standby look at most this often. */
  private static final long MIN_HINT_INTERVAL_NANOS = 10_000_000;

  static Standby askingAt(ElectionConfig config, Memory memory, long nextAskAtNanos) {
    return new Standby(config, memory, null, nextAskAtNanos, FailedAttempts.NONE, false);
  }

  /** Just out of office: others get the first pause to themselves. */
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
  public Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now) {
    if (answer instanceof Granted won) {
      return onGranted(asked, won, now);
    }
    if (answer instanceof HeldByOther held) {
      return onRecord(asked, held.record(), now);
    }
    return unanswered(memory, now);
  }

  private Step onGranted(RequestInFlight asked, Granted won, StepContext now) {
    if (!(asked.request() instanceof LeaseRequest.Acquire)) {
      return unanswered(memory, now); // A yes to what was not asked says nothing.
    }
    if (won.epoch() <= memory.highestEpoch() || won.epoch() <= memory.spentEpoch()) {
      // The store broke its word. Never lead by it, not even should the record turn out to be ours.
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
    ObservedRecord sighting = known.observed();
    if (sighting == null) {
      throw new AssertionError("saw nothing in " + seen);
    }
    if (seen.isHeld() && seen.holder().equals(config.identity())) {
      // An earlier claim was granted, but its reply never came; or a release never arrived.
      if (seen.epoch() <= memory.spentEpoch()) {
        return asked.request() instanceof LeaseRequest.Release
                || now.callsInFlight() > 0
                || !sighting.trusted()
            ? unanswered(known, now)
            : releaseAgain(known, seen.epoch(), now);
      }
      if (sighting.trusted() && memory.incarnation() != null) {
        return Lapsed.holding(config, known, seen.epoch(), now);
      }
    }
    if (hasNewGround(asked, sighting, now)) {
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

  /** True if the next claim can rest on more than the one just refused. */
  private static boolean hasNewGround(
      RequestInFlight asked, ObservedRecord sighting, StepContext now) {
    return sighting.hasEndedBy(now)
        && !(asked.request() instanceof LeaseRequest.Acquire acquire
            && sighting.record().recordVersion().equals(acquire.claim().waitedOut()));
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
    ObservedRecord sighting = known.observed();
    return sighting != null && sighting.hasEndedBy(now)
        ? Step.to(askingAt(config, known, known.nextHintedAskNanos(MIN_HINT_INTERVAL_NANOS)))
        : backOff(known, failedAttempts.plusOne(false), now);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    if (command instanceof Command.StepDown stepDown) {
      return stepDown.to() != null
          ? stay()
          : rest(WithdrawalReason.STEPPED_DOWN, now); // A claim under way may still be granted.
    }
    if (command instanceof Command.Withdraw withdraw) {
      return rest(withdraw.reason(), now);
    }
    if (command instanceof Command.Stop) {
      return rest(WithdrawalReason.STOPPED, now);
    }
    return stay(); // Rejoin: campaigning already.
  }

  private Step rest(WithdrawalReason absence, StepContext now) {
    return Step.to(
        Inactive.waitingFor(config, memory, WithdrawalReasons.NONE.plus(absence), pending, now));
  }

  private LeaseRequest nextRequest(StepContext now) {
    if (!memory.mayClaimAt(now)) {
      return new LeaseRequest.Look(); // Not even a release may be believed yet.
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

  /** Asks again after a pause, but not later than the known end of the holder's lease. */
  private Step backOff(Memory known, FailedAttempts again, StepContext now) {
    long next = now.plus(again.pauseNanos(timing(), now.chance()));
    Step waiting = Step.to(new Standby(config, known, null, next, again, false));
    ObservedRecord sighting = known.observed();
    return sighting == null || sighting.hasEndedBy(now)
        ? waiting
        : noLaterThan(waiting, sighting.endsAtNanos());
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
   * How often in a row a node asked in vain, always in the same way: because another holds the
   * lease, or because there was no answer. Having waited long for a leader is no reason to wait
   * long for an answer.
   *
   * @param tries how often
   * @param unanswered whether there was no answer
   */
  record FailedAttempts(int tries, boolean unanswered) {
    static final FailedAttempts NONE = new FailedAttempts(0, false);

    FailedAttempts plusOne(boolean withoutAnswer) {
      return new FailedAttempts(withoutAnswer == unanswered ? tries + 1 : 1, withoutAnswer);
    }

    long pauseNanos(Timing timing, double chance) {
      Backoff pace = unanswered ? timing.unknownBackoff() : timing.heldBackoff();
      return pace.pauseNanos(tries, chance);
    }
  }
}
