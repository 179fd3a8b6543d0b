package io.portcullis.backend.quorum.sim;

import io.portcullis.election.simulation.InvariantViolationException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Kills processes, with or without losing their disks, and starts new ones. */
final class CrashFaults {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final PartitionFaults partitions;
  private final DiskLossLimit limit;
  private final long lease;

  CrashFaults(SimWorld world, SplittableRandom random, PartitionFaults partitions) {
    this.world = world;
    this.random = random;
    this.partitions = partitions;
    this.limit = new DiskLossLimit(world);
    this.lease = world.plan().longestLease().toNanos();
  }

  void crash(SimProcess process) {
    world.note(process + " crashes");
    world.end(process);
    startLater(process.member());
  }

  /** Starts a process soon, or after a time that may exceed a lease. */
  private void startLater(SimMember member) {
    long max =
        switch (random.nextInt(4)) {
          case 0 -> 3 * lease;
          case 1 -> lease / 2;
          default -> 200 * MILLI;
        };
    world.ifFaultsActive(world.now() + random.nextLong(max), () -> world.start(member));
  }

  /** Crashes many processes at once, perhaps while the leader is isolated. */
  void powerCut() {
    partitions.maybeIsolateLeader();
    world.marks().hit("power cut");
    SimProcess leader = world.gates().open();
    for (SimProcess process : world.processes()) {
      if (process == leader ? random.nextInt(4) == 0 : random.nextInt(4) > 0) {
        crash(process);
      }
    }
  }

  /** Restarts a member at once, with or without losing its disk. */
  void restartQuickly(SimMember member, boolean disk) {
    SimProcess process = member.process();
    if (disk && limit.allowsLosing(member)) {
      loseDisk(member);
    } else if (process != null) {
      crash(process);
    }
    world.ifFaultsActive(world.now() + random.nextLong(100 * MILLI), () -> world.start(member));
  }

  /** Crashes a few processes and loses their disks. */
  void loseDisks() {
    partitions.maybeIsolateLeader();
    int max = 1 + random.nextInt(Math.max(1, world.plan().size() - world.plan().majority()));
    List<SimMember> candidates = new ArrayList<>(world.members());
    int lost = 0;
    while (lost < max && !candidates.isEmpty()) {
      SimMember member = candidates.remove(random.nextInt(candidates.size()));
      if (limit.allowsLosing(member) && member.disk().hasBallot()) {
        loseDisk(member);
        lost++;
      }
    }
    if (lost > 0) {
      world.marks().hit(lost == 1 ? "disk lost" : "several disks lost at once");
    }
  }

  private void loseDisk(SimMember member) {
    SimProcess process = member.process();
    if (process != null) {
      world.end(process);
    }
    world.note(member + " loses its disk with " + member.disk().ballot());
    member.disk().lose();
    world.votes().onDiskLost(member);
    startLater(member);
  }

  /** Restarts a member that can't read its ballot until a later restart. */
  void makeBallotUnreadable(SimProcess process) {
    SimDisk disk = process.member().disk();
    world.note(process + " crashes, and can't read its ballot");
    world.end(process);
    disk.setReadable(false);
    startLater(process.member());
    world.ifFaultsActive(
        world.now() + random.nextLong(3 * lease),
        () -> {
          disk.setReadable(true);
          SimProcess restarted = process.member().process();
          if (restarted != null) {
            crash(restarted);
          }
        });
  }

  /** Ends all disk faults, and starts enough members for a majority, or more. */
  void restart() {
    for (SimMember member : world.members()) {
      SimDisk disk = member.disk();
      disk.setFull(false);
      if (!disk.isReadable()) {
        disk.setReadable(true);
        SimProcess restarted = member.process();
        if (restarted != null) {
          world.end(restarted);
        }
      }
    }
    for (SimMember member : world.members()) {
      if (random.nextBoolean() || !enoughMembersUp()) {
        world.start(member);
      }
    }
    if (!enoughMembersUp()) {
      throw new InvariantViolationException("more disks were lost than the limit allows");
    }
  }

  /** Whether a majority of voters and a candidate are up; recovering members learn from them. */
  private boolean enoughMembersUp() {
    long voters = world.members().stream().filter(m -> m.isUp() && m.disk().hasBallot()).count();
    boolean anyUp = world.processes().stream().anyMatch(p -> p.election() != null);
    boolean allUp = world.processes().size() == world.plan().size();
    return allUp || (anyUp && voters >= world.plan().majority());
  }
}
