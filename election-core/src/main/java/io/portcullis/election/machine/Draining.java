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
 * On the way out (invariant 5): the gate is shut for good under this epoch, and the lease is kept
 * while calls that had passed it finish. Bounded by the order's own limit, and by the lease itself
 * once renewing no longer works.
 *
 * @param config the election
 * @param memory what was seen; the epoch is spent
 * @param grant keeps others away, opens nothing
 * @param pending the renewal under way
 * @param nextRenewAtNanos when to renew next if none is
 * @param boundAtNanos when calls still running are no longer waited for
 * @param lookAgainAtNanos when to look next whether any are running
 * @param withdrawalReasons why the node will not campaign afterwards
 * @param stoppedEvent what listeners hear once the store is released, null if they know already
 * @param successor who should lead next, null for whoever comes first
 */
public record Draining(
    ElectionConfig config,
    Memory memory,
    Grant grant,
    @Nullable RequestInFlight pending,
    long nextRenewAtNanos,
    long boundAtNanos,
    long lookAgainAtNanos,
    WithdrawalReasons withdrawalReasons,
    @Nullable ElectionEvent stoppedEvent,
    @Nullable String successor)
    implements Role {

  /** How often to look whether calls are still running. */
  private static final long CALLS_POLL_NANOS = 2_000_000;

  /**
   * Begins to let go. Whether calls are running is asked at the next step, not at this one: the
   * gate shuts only after this step, and a call may pass until then.
   */
  static Step begin(
      ElectionConfig config,
      Memory memory,
      Grant grant,
      Duration drain,
      WithdrawalReasons absences,
      @Nullable ElectionEvent farewell,
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
            absences,
            farewell,
            successor));
  }

  @Override
  public Step passTime(StepContext now) {
    boolean live = grant.liveAt(now.nanos());
    if (now.callsInFlight() == 0 || (live && now.hasReached(boundAtNanos))) {
      return Releasing.begin(
          config, memory, grant.epoch(), withdrawalReasons, stoppedEvent, successor, now);
    }
    if (!live) {
      // Calls are still running: say nothing, so that others wait the record out.
      return Releasing.done(config, memory, withdrawalReasons, stoppedEvent, now);
    }
    if (pending != null) {
      return now.hasReached(pending.overdueAtNanos())
          ? retry(now)
          : goOn(memory, grant, pending, nextRenewAtNanos, now);
    }
    return now.hasReached(nextRenewAtNanos)
        ? renew(now)
        : goOn(memory, grant, null, nextRenewAtNanos, now);
  }

  @Override
  public Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now) {
    if (answer instanceof Granted won && won.epoch() == grant.epoch()) {
      Grant longer = grant.orLater(Grant.of(grant.epoch(), asked, timing()));
      long next = now.plus(timing().renew().toNanos());
      return goOn(memory.withGrant(won), longer, null, next, now);
    }
    if (answer instanceof HeldByOther held) {
      LeaseRecord seen = held.record();
      Memory known = memory.withObserved(seen, config, now);
      return seen.isHeldBy(config.identity(), grant.epoch())
          ? goOn(known, grant, null, grant.deadlineNanos(), now) // No renewal will help any more.
          : Releasing.done(config, known, withdrawalReasons, stoppedEvent, now);
    }
    return retry(now);
  }

  private Step retry(StepContext now) {
    return goOn(memory, grant, null, now.plus(timing().retryPauseNanos(1)), now);
  }

  private Step renew(StepContext now) {
    Memory asking = memory.withRequestSent(now);
    RequestInFlight next = RequestInFlight.renewal(config, asking, grant.epoch(), now);
    return goOn(asking, grant, next, nextRenewAtNanos, now).with(next.effect());
  }

  private Step goOn(
      Memory known,
      Grant right,
      @Nullable RequestInFlight asked,
      long nextRenewAt,
      StepContext now) {
    long again = now.plus(CALLS_POLL_NANOS);
    return Step.to(
        new Draining(
            config,
            known,
            right,
            asked,
            nextRenewAt,
            boundAtNanos,
            again,
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
    long bound = boundAtNanos;
    if (command instanceof Command.Stop stop) {
      long stopBound = now.plus(stop.drain().toNanos());
      bound = bound - stopBound > 0 ? stopBound : bound;
    }
    return Step.to(
        new Draining(
            config,
            memory,
            grant,
            pending,
            nextRenewAtNanos,
            bound,
            lookAgainAtNanos,
            withdrawalReasons.after(command),
            stoppedEvent,
            successor));
  }

  private Timing timing() {
    return config.timing();
  }

  @Override
  public OptionalLong wakeAtNanos() {
    return OptionalLong.of(lookAgainAtNanos);
  }

  @Override
  public RoleName name() {
    return withdrawalReasons.roleName();
  }
}
