package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Still named in the store's record, for all this node knows, but without a live grant: the gate is
 * shut. It asks for a renewal; only a fresh yes under the same epoch, from a store that has not
 * been replaced meanwhile, opens again.
 *
 * <p>That is safe because a renewal compares node and epoch in the store: had anybody else been
 * granted the lease in between, it would fail.
 *
 * @param config the election
 * @param memory what was seen
 * @param epoch the epoch of the record
 * @param grant the grant that lapsed, null if the gate was never opened under this epoch
 * @param pending the renewal under way
 * @param nextRenewAtNanos when to ask next if none is
 * @param giveUpAtNanos when to let go of the record
 * @param failures how many renewals in a row had no good answer
 */
public record Lapsed(
    ElectionConfig config,
    Memory memory,
    long epoch,
    @Nullable Grant grant,
    @Nullable RequestInFlight pending,
    long nextRenewAtNanos,
    long giveUpAtNanos,
    int failures)
    implements Role {

  /** A leader whose right has ended, or may have. */
  static Step after(Leading leading, LossReason ending, String why, StepContext now) {
    Timing timing = leading.config().timing();
    Grant grant = leading.grant();
    boolean suspicious = ending == LossReason.CLOCKS_DISAGREE;
    Lapsed lapsed =
        new Lapsed(
            leading.config(),
            leading.memory(),
            grant.epoch(),
            grant,
            suspicious ? null : leading.pending(), // An answer from before can't be dated.
            now.nanos(),
            now.plus((suspicious ? timing.askTimeout() : timing.holdAfterLapse()).toNanos()),
            0);
    return Step.to(
        lapsed,
        new Effect.ShutGate(),
        new Effect.Announce(new ElectionEvent.StoppedLeading(grant.epoch(), ending, why)));
  }

  /** A node that finds itself in the record without ever having heard of the grant in time. */
  static Step holding(ElectionConfig config, Memory memory, long epoch, StepContext now) {
    long giveUpAt = now.plus(config.timing().askTimeout().toNanos());
    return Step.to(new Lapsed(config, memory, epoch, null, null, now.nanos(), giveUpAt, 0));
  }

  @Override
  public Step passTime(StepContext now) {
    if (now.hasReached(giveUpAtNanos)) {
      return letGo(memory, WithdrawalReasons.NONE, now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos()) ? retry(now) : stay();
    }
    return now.hasReached(nextRenewAtNanos) ? renew(now) : stay();
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now) {
    if (answer instanceof Granted won) {
      return onGranted(asked, won, now);
    }
    if (answer instanceof HeldByOther held) {
      Memory known = memory.withObserved(held.record(), config, now);
      return held.record().isHeldBy(config.identity(), epoch) && known.trustsWhatItSaw()
          ? letGo(known, WithdrawalReasons.NONE, now)
          : Step.to(Standby.pausing(config, known.withSpentEpoch(epoch), now));
    }
    return retry(now);
  }

  private Step onGranted(RequestInFlight asked, Granted won, StepContext now) {
    if (won.epoch() != epoch || !won.incarnation().equals(memory.incarnation())) {
      // Another life of the store may not know who led while we did not.
      return Step.to(Standby.pausing(config, memory.withSpentEpoch(epoch), now));
    }
    Grant renewed = Grant.of(epoch, asked, timing());
    return renewed.liveAt(now.nanos())
            && !now.clocks().disagreesWith(asked.sentAt(), timing().marginNanos())
        ? Leading.open(config, memory, renewed, asked, now, "lease confirmed")
        : renew(now); // Too old to be worth anything, but the store still knows us.
  }

  private Step retry(StepContext now) {
    int failed = failures + 1;
    long next = now.plus(timing().retryPauseNanos(failed));
    return Step.to(new Lapsed(config, memory, epoch, grant, null, next, giveUpAtNanos, failed));
  }

  private Step renew(StepContext now) {
    Memory asking = memory.withRequestSent(now);
    RequestInFlight next = RequestInFlight.renewal(config, asking, epoch, now);
    return Step.to(
        new Lapsed(config, asking, epoch, grant, next, nextRenewAtNanos, giveUpAtNanos, failures),
        next.effect());
  }

  private Step letGo(Memory known, WithdrawalReasons absences, StepContext now) {
    if (grant == null) {
      // Never opened under this epoch; calls of an earlier one may still be running.
      return now.callsInFlight() == 0
          ? Releasing.begin(config, known, epoch, absences, null, null, now)
          : Releasing.done(config, known.withSpentEpoch(epoch), absences, null, now);
    }
    return Draining.begin(config, known, grant, timing().drain(), absences, null, null, now);
  }

  @Override
  public Step onHint(StepContext now) {
    return pending != null || memory.isTooSoonForAHint(now, timing()) ? stay() : renew(now);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    if (command instanceof Command.StepDown stepDown && stepDown.to() != null) {
      return stay(); // Nobody can be named by one whose own right is in doubt.
    }
    WithdrawalReasons absences = WithdrawalReasons.NONE.after(command);
    return absences.isEmpty() ? stay() : letGo(memory, absences, now);
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
    return OptionalLong.of(due - giveUpAtNanos < 0 ? due : giveUpAtNanos);
  }

  @Override
  public RoleName name() {
    return RoleName.CANDIDATE;
  }
}
