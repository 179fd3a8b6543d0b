package io.portcullis.backend.quorum.sim;

import io.portcullis.election.config.Timing;
import io.portcullis.election.simulation.SimClock;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One process of a member: its voter and, unless it is a witness, its election, which run, pause
 * and end together.
 */
final class SimProcess {
  /** An arbitrary time that no clock step sets back before the epoch. */
  private static final long WALL_START_MILLIS = 1_700_000_000_000L;

  private final SimWorld world;
  private final SimMember member;
  private final String identity;
  private final Timing timing;
  private final SimClock clock;
  private final ArrayDeque<Runnable> pending = new ArrayDeque<>();
  private final SimVoter voter;
  private final @Nullable SimElection election;
  private boolean alive = true;
  private long pausedUntil;

  SimProcess(SimWorld world, SimMember member, WorldPlan plan, SplittableRandom random) {
    this.world = world;
    this.member = member;
    this.identity = member.nextIdentity();
    this.timing = plan.timing();
    this.clock = new SimClock(plan.drift(), random);
    clock.stepWall(WALL_START_MILLIS + random.nextLong(-2_000, 2_000));
    this.voter =
        new SimVoter(world, this, plan.quorum(member.index(), identity, timing), random.split());
    this.election =
        plan.isWitness(member.index())
            ? null
            : new SimElection(world, this, plan.election(identity, timing), random.split());
  }

  SimMember member() {
    return member;
  }

  Timing timing() {
    return timing;
  }

  SimClock clock() {
    return clock;
  }

  SimVoter voter() {
    return voter;
  }

  /** Null in a witness. */
  @Nullable SimElection election() {
    return election;
  }

  boolean isAlive() {
    return alive;
  }

  boolean isOpen() {
    return alive && election != null && election.isOpen();
  }

  void kill() {
    alive = false;
    voter.onKilled();
  }

  boolean isPaused() {
    return world.now() < pausedUntil;
  }

  long pausedUntil() {
    return pausedUntil;
  }

  void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
    world.at(pausedUntil, this::runPending);
  }

  void resume() {
    pausedUntil = world.now();
    runPending();
  }

  /** Runs this now, or after a pause; never if the process ends before. */
  void run(Runnable what) {
    if (alive) {
      pending.add(what);
      runPending();
    }
  }

  private void runPending() {
    while (alive && !isPaused() && !pending.isEmpty()) {
      pending.remove().run();
    }
  }

  @Override
  public String toString() {
    return identity;
  }
}
