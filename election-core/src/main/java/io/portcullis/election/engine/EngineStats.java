package io.portcullis.election.engine;

import io.portcullis.election.engine.ElectionCounts.DurationHistogram;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.ElectionMachine;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.Memory;
import io.portcullis.election.machine.ObservedRecord;
import io.portcullis.election.machine.RequestInFlight;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;
import io.portcullis.election.machine.StepContext;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives counters and histograms from the machine's steps. Used by the engine's thread only. */
final class EngineStats {
  private final Map<LossReason, Long> lost = new EnumMap<>(LossReason.class);
  private final Map<String, Long> attempts = new TreeMap<>();
  private long elections;
  private long acquired;
  private long leaderlessSinceNanos;
  private DurationHistogram acquire = DurationHistogram.NONE;
  private DurationHistogram renew = DurationHistogram.NONE;
  private DurationHistogram convergence = DurationHistogram.NONE;
  private @Nullable Long heartbeatAtNanos;

  EngineStats(long nowNanos) {
    this.leaderlessSinceNanos = nowNanos;
  }

  void watch(Role before, Input input, Step step, StepContext now) {
    long nowNanos = now.nanos();
    if (input instanceof Input.Answered answered) {
      RequestInFlight asked = ElectionMachine.awaited(before, answered, now);
      if (asked != null) {
        onAnswer(asked, answered.answer(), nowNanos);
      }
    }
    onObserved(before.memory().observed(), step.role().memory().observed(), nowNanos);
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Announce announce) {
        onEvent(announce.event(), before.memory(), nowNanos);
      }
    }
    if (before.memory().leader() != null && step.role().memory().leader() == null) {
      leaderlessSinceNanos = nowNanos;
    }
  }

  private void onAnswer(RequestInFlight asked, LeaseResponse answer, long nowNanos) {
    Duration took = Duration.ofNanos(nowNanos - asked.sentAt().nanos());
    boolean granted = answer instanceof LeaseResponse.Granted;
    if (asked.request() instanceof LeaseRequest.Acquire) {
      String result =
          granted ? "granted" : answer instanceof LeaseResponse.HeldByOther ? "held" : "unknown";
      attempts.merge(result, 1L, Long::sum);
      acquire = granted ? acquire.plus(took) : acquire;
    }
    if (asked.request() instanceof LeaseRequest.Renew && granted) {
      renew = renew.plus(took);
    }
    if (granted) {
      heartbeatAtNanos = asked.sentAt().nanos();
    }
  }

  private void onObserved(
      @Nullable ObservedRecord before, @Nullable ObservedRecord after, long nowNanos) {
    if (after != null && after.record().isHeld() && !after.equals(before)) {
      heartbeatAtNanos = nowNanos;
    }
  }

  private void onEvent(ElectionEvent event, Memory before, long nowNanos) {
    if (event instanceof ElectionEvent.StartedLeading) {
      acquired++;
    } else if (event instanceof ElectionEvent.StoppedLeading stopped) {
      lost(stopped.reason());
    } else if (event instanceof ElectionEvent.NewLeader) {
      elections++;
      long since = before.leader() == null ? leaderlessSinceNanos : believedUntil(before, nowNanos);
      convergence = convergence.plus(Duration.ofNanos(nowNanos - since));
    }
  }

  /**
   * Time at which the previous leader stopped leading: the end of its record, if that has expired
   * without a newer record being seen.
   */
  private static long believedUntil(Memory before, long nowNanos) {
    ObservedRecord observed = before.observed();
    Leader leader = before.leader();
    if (observed == null
        || leader == null
        || !observed.record().holder().equals(leader.identity())
        || observed.endsAtNanos() - nowNanos > 0) {
      return nowNanos;
    }
    return observed.endsAtNanos();
  }

  void lost(LossReason reason) {
    lost.merge(reason, 1L, Long::sum);
  }

  /** Time of the leader's last heartbeat, null if there was none. */
  @Nullable Long heartbeatAtNanos() {
    return heartbeatAtNanos;
  }

  ElectionCounts counts(Map<String, Long> store) {
    return new ElectionCounts(
        elections,
        acquired,
        Map.copyOf(lost),
        Map.copyOf(attempts),
        acquire,
        renew,
        convergence,
        heartbeatAtNanos,
        store);
  }
}
