package io.portcullis.election;

import io.portcullis.election.LeaderElection.LeaderScope;
import io.portcullis.election.engine.GateControl;
import io.portcullis.election.machine.Grant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gate of the library: one volatile grant, compared with the monotonic clock on each call. A second
 * gate, if given, opens and shuts after it.
 */
final class LocalGate implements GateControl {
  private final String identity;
  private final @Nullable GateControl next;
  private final Function<String, NotLeadingException> refusals;
  private final AtomicLong openScopes = new AtomicLong();
  private volatile @Nullable Grant grant;
  private volatile @Nullable Tenure tenure;

  LocalGate(
      String identity, @Nullable GateControl next, Function<String, NotLeadingException> refusals) {
    this.identity = identity;
    this.next = next;
    this.refusals = refusals;
  }

  @Override
  public void open(Grant fresh) {
    if (tenure == null) {
      tenure = new Tenure(this, identity, fresh.epoch());
    }
    grant = fresh;
    if (next != null) {
      next.open(fresh);
    }
  }

  @Override
  public void shut() {
    grant = null;
    Tenure ending = tenure;
    if (ending != null) {
      ending.end();
      tenure = null;
    }
    if (next != null) {
      next.shut();
    }
  }

  @Override
  public void abandonCalls() {
    if (next != null) {
      next.abandonCalls();
    }
  }

  @Override
  public long callsInFlight() {
    long own = openScopes.get();
    return next == null ? own : own + next.callsInFlight();
  }

  /**
   * Admits a piece of work. The scope is counted before the gate is read, so a drain that reads a
   * count of zero has missed none.
   */
  LeaderScope enter() {
    openScopes.incrementAndGet();
    Tenure now = tenure;
    if (now == null || !now.isValid()) {
      openScopes.decrementAndGet();
      throw refusal("this node does not lead");
    }
    return new LeaderScope(now, openScopes::decrementAndGet);
  }

  @Nullable Tenure tenure() {
    return tenure;
  }

  boolean isOpen() {
    return remainingNanos() > 0;
  }

  boolean isOpenUnder(long epoch) {
    Grant now = grant;
    return now != null && now.epoch() == epoch && now.liveAt(System.nanoTime());
  }

  /** Positive while open. */
  long remainingNanos() {
    Grant now = grant;
    return now == null ? 0 : Math.max(0, now.deadlineNanos() - System.nanoTime());
  }

  /** The epoch while open, else 0. */
  long epoch() {
    Grant now = grant;
    return now != null && now.liveAt(System.nanoTime()) ? now.epoch() : 0;
  }

  NotLeadingException refusal(String what) {
    return refusals.apply(what);
  }
}
