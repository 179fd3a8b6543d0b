package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Role of a node that is giving up leadership (invariant 5): the gate is shut permanently under
 * this epoch, and the lease is kept while calls that had passed it finish. Limited by the command's
 * own drain timeout, and by the lease itself once renewing no longer works.
 *
 * @param config the election's configuration
 * @param memory what was seen; the epoch is spent
 * @param grant keeps other nodes from leading; opens no gate
 * @param pending the renewal in flight
 * @param nextRenewAtNanos when to renew next if none is in flight
 * @param drainDeadlineNanos when to stop waiting for calls that are still running
 * @param nextPollAtNanos when to check next whether calls are running
 * @param withdrawalReasons why the node will not campaign afterwards
 * @param stoppedEvent the event for listeners once the store is released, null if already announced
 * @param successor the preferred next leader, null for none
 */
public record Draining(
    ElectionConfig config,
    Memory memory,
    Grant grant,
    @Nullable RequestInFlight pending,
    long nextRenewAtNanos,
    long drainDeadlineNanos,
    long nextPollAtNanos,
    WithdrawalReasons withdrawalReasons,
    @Nullable ElectionEvent stoppedEvent,
    @Nullable String successor)
    implements Role {

  /** Interval between checks whether calls are still running. */
  private static final long CALLS_POLL_NANOS = 2_000_000;

  /**
   * Begins to drain. Calls in flight are counted in the next step, not in this one: the gate shuts
   * only after this step, and a call may pass until then.
   */
  static Step begin(
      ElectionConfig config,
      Memory memory,
      Grant grant,
      Duration drain,
      WithdrawalReasons reasons,
      @Nullable ElectionEvent stoppedEvent,
      @Nullable String successor,
      StepContext now) {
    long half = config.timing().renew().toNanos() / 2;
    return Step.to(
        new Draining(
            config,
            memory.withSpentEpoch(grant.epoch()),
            grant,
            null,
            now.plus(half),
            now.plus(drain.toNanos()),
            now.nanos(),
            reasons,
            stoppedEvent,
            successor));
  }

  @Override
  public Step passTime(StepContext now) {
    boolean live = grant.liveAt(now.nanos());
    if (now.callsInFlight() == 0 || (live && now.hasReached(drainDeadlineNanos))) {
      return Releasing.begin(
          config, memory, grant.epoch(), withdrawalReasons, stoppedEvent, successor, now);
    }
    if (!live) {
      // Calls are still running: send no release, so that others wait the record out.
      return Releasing.done(config, memory, withdrawalReasons, stoppedEvent, now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos())
          ? retry(now)
          : stay(memory, grant, pending, nextRenewAtNanos, now);
    }
    return now.hasReached(nextRenewAtNanos)
        ? renew(now)
        : stay(memory, grant, null, nextRenewAtNanos, now);
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now) {
    if (response instanceof Granted won && won.epoch() == grant.epoch()) {
      Grant longer = grant.orLater(Grant.of(grant.epoch(), asked, timing()));
      long next = now.plus(timing().renew().toNanos());
      return stay(memory.withGrant(won), longer, null, next, now);
    }
    if (response instanceof HeldByOther held) {
      LeaseRecord seen = held.record();
      Memory known = memory.withObserved(seen, config, now);
      return seen.isHeldBy(config.identity(), grant.epoch())
          ? stay(known, grant, null, grant.deadlineNanos(), now) // Further renewals can't succeed.
          : Releasing.done(config, known, withdrawalReasons, stoppedEvent, now);
    }
    return retry(now);
  }

  private Step retry(StepContext now) {
    return stay(memory, grant, null, now.plus(timing().retryPauseNanos(1)), now);
  }

  private Step renew(StepContext now) {
    Memory asking = memory.withRequestSent(now);
    RequestInFlight next = RequestInFlight.renewal(config, asking, grant.epoch(), now);
    return stay(asking, grant, next, nextRenewAtNanos, now).with(next.effect());
  }

  private Step stay(
      Memory known,
      Grant right,
      @Nullable RequestInFlight asked,
      long nextRenewAt,
      StepContext now) {
    long nextPoll = now.plus(CALLS_POLL_NANOS);
    return Step.to(
        new Draining(
            config,
            known,
            right,
            asked,
            nextRenewAt,
            drainDeadlineNanos,
            nextPoll,
            withdrawalReasons,
            stoppedEvent,
            successor));
  }

  @Override
  public Step onHint(StepContext now) {
    return Step.to(this);
  }

  @Override
  public Step onCommand(Command command, StepContext now) {
    long deadline = drainDeadlineNanos;
    if (command instanceof Command.Stop stop) {
      long stopDeadline = now.plus(stop.drain().toNanos());
      deadline = deadline - stopDeadline > 0 ? stopDeadline : deadline;
    }
    return Step.to(
        new Draining(
            config,
            memory,
            grant,
            pending,
            nextRenewAtNanos,
            deadline,
            nextPollAtNanos,
            withdrawalReasons.after(command),
            stoppedEvent,
            successor));
  }

  private Timing timing() {
    return config.timing();
  }

  @Override
  public OptionalLong wakeAtNanos() {
    return OptionalLong.of(nextPollAtNanos);
  }

  @Override
  public RoleName name() {
    return withdrawalReasons.roleName();
  }
}
