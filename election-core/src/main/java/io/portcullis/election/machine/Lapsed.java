package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that, as far as it knows, is still named in the store's record, but has no live
 * grant: the gate is shut. It requests a renewal; only a new positive response under the same
 * epoch, from a store with the same incarnation, opens the gate again.
 *
 * <p>That is safe because the store compares node and epoch in a renewal: had any other node been
 * granted the lease in between, the renewal would fail.
 *
 * @param config the election's configuration
 * @param memory what was seen
 * @param epoch the epoch of the record
 * @param grant the grant that lapsed, null if the gate was never opened under this epoch
 * @param pending the renewal in flight
 * @param nextRenewAtNanos when to renew next if none is in flight
 * @param giveUpAtNanos when to give up the record
 * @param failures number of consecutive failed renewals
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

  /** The role of a leader whose right has ended, or may have. */
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
            suspicious ? null : leading.pending(), // A response to it can't be dated.
            now.nanos(),
            now.plus((suspicious ? timing.askTimeout() : timing.holdAfterLapse()).toNanos()),
            0);
    return Step.to(
        lapsed,
        new Effect.ShutGate(),
        new Effect.Announce(new ElectionEvent.StoppedLeading(grant.epoch(), ending, why)));
  }

  /**
   * The role of a node that finds itself in the record without having received the grant in time.
   */
  static Step holding(ElectionConfig config, Memory memory, long epoch, StepContext now) {
    long giveUpAt = now.plus(config.timing().askTimeout().toNanos());
    return Step.to(new Lapsed(config, memory, epoch, null, null, now.nanos(), giveUpAt, 0));
  }

  @Override
  public Step passTime(StepContext now) {
    if (now.hasReached(giveUpAtNanos)) {
      return giveUp(memory, WithdrawalReasons.NONE, now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos()) ? retry(now) : stay();
    }
    return now.hasReached(nextRenewAtNanos) ? renew(now) : stay();
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    if (response instanceof Granted won) {
      return onGranted(asked, won, now);
    }
    if (response instanceof HeldByOther held) {
      Memory known = memory.withObserved(held.record(), config, now);
      return held.record().isHeldBy(config.identity(), epoch) && known.trustsWhatItSaw()
          ? giveUp(known, WithdrawalReasons.NONE, now)
          : Step.to(Standby.pausing(config, known.withSpentEpoch(epoch), now));
    }
    return retry(now);
  }

  private Step onGranted(RequestInFlight asked, Granted won, StepContext now) {
    if (won.epoch() != epoch || !won.incarnation().equals(memory.incarnation())) {
      // A store with another incarnation may not know who led meanwhile.
      return Step.to(Standby.pausing(config, memory.withSpentEpoch(epoch), now));
    }
    Grant renewed = Grant.of(epoch, asked, timing());
    return renewed.liveAt(now.nanos())
            && !now.clocks().disagreesWith(asked.sentAt(), timing().marginNanos())
        ? Leading.open(config, memory, renewed, asked, now, "lease confirmed")
        : renew(now); // Too old to be a live grant, but the store still names this node.
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

  private Step giveUp(Memory known, WithdrawalReasons reasons, StepContext now) {
    if (grant == null) {
      // Never opened under this epoch; calls of an earlier one may still be running.
      return now.callsInFlight() == 0
          ? Releasing.begin(config, known, epoch, reasons, null, null, now)
          : Releasing.done(config, known.withSpentEpoch(epoch), reasons, null, now);
    }
    return Draining.begin(config, known, grant, timing().drain(), reasons, null, null, now);
  }

  @Override
  public Step onHint(StepContext now) {
    return pending != null || memory.isTooSoonForAHint(now, timing()) ? stay() : renew(now);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    if (command instanceof Command.StepDown stepDown && stepDown.to() != null) {
      return stay(); // A node whose own right is in doubt can't name a successor.
    }
    WithdrawalReasons reasons = WithdrawalReasons.NONE.after(command);
    return reasons.isEmpty() ? stay() : giveUp(memory, reasons, now);
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
