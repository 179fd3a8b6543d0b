package io.portcullis.backend.quorum.sim;

import io.portcullis.election.simulation.InvariantViolationException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Ends processes, with or without their disks, and starts others in their place. */
final class CrashFaults {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final PartitionFaults cuts;
  private final DiskLossLimit limit;
  private final long lease;

  CrashFaults(SimWorld world, SplittableRandom random, PartitionFaults cuts) {
    this.world = world;
    this.random = random;
    this.cuts = cuts;
    this.limit = new DiskLossLimit(world);
    this.lease = world.plan().longestLease().toNanos();
  }

  void crash(SimProcess process) {
    world.note(process + " crashes");
    world.end(process);
    startSoon(process.member());
  }

  /** At once, or after a while that may outlast a lease. */
  private void startSoon(SimMember member) {
    long most =
        switch (random.nextInt(4)) {
          case 0 -> 3 * lease;
          case 1 -> lease / 2;
          default -> 200 * MILLI;
        };
    world.inStorm(world.now() + random.nextLong(most), () -> world.start(member));
  }

  /** Many crash at the same time; the leader may be out of reach just then. */
  void powerCut() {
    cuts.perhapsCutOffLeader();
    world.marks().hit("power cut");
    SimProcess leader = world.gates().open();
    for (SimProcess process : world.processes()) {
      if (process == leader ? random.nextInt(4) == 0 : random.nextInt(4) > 0) {
        crash(process);
      }
    }
  }

  /** Is back at once, with or without its disk. */
  void restartQuickly(SimMember member, boolean disk) {
    SimProcess process = member.process();
    if (disk && limit.allowsLosing(member)) {
      lose(member);
    } else if (process != null) {
      crash(process);
    }
    world.inStorm(world.now() + random.nextLong(100 * MILLI), () -> world.start(member));
  }

  /** A few processes crash and their disks are lost. */
  void loseDisks() {
    cuts.perhapsCutOffLeader();
    int most = 1 + random.nextInt(Math.max(1, world.plan().size() - world.plan().majority()));
    List<SimMember> left = new ArrayList<>(world.members());
    int lost = 0;
    while (lost < most && !left.isEmpty()) {
      SimMember member = left.remove(random.nextInt(left.size()));
      if (limit.allowsLosing(member) && member.disk().keepsABallot()) {
        lose(member);
        lost++;
      }
    }
    if (lost > 0) {
      world.marks().hit(lost == 1 ? "disk lost" : "several disks lost at once");
    }
  }

  private void lose(SimMember member) {
    SimProcess process = member.process();
    if (process != null) {
      world.end(process);
    }
    world.note(member + " loses its disk with " + member.disk().ballot());
    member.disk().lose();
    world.votes().onDiskLost(member);
    startSoon(member);
  }

  /** Comes back but can't read what it wrote; a later process can. */
  void unreadable(SimProcess process) {
    SimDisk disk = process.member().disk();
    world.note(process + " crashes, and can't read its ballot");
    world.end(process);
    disk.setReadable(false);
    startSoon(process.member());
    world.inStorm(
        world.now() + random.nextLong(3 * lease),
        () -> {
          disk.setReadable(true);
          SimProcess blind = process.member().process();
          if (blind != null) {
            crash(blind);
          }
        });
  }

  /** After the storm: all disks are well, and enough members are up, or even all. */
  void restart() {
    for (SimMember member : world.members()) {
      SimDisk disk = member.disk();
      disk.setFull(false);
      if (!disk.isReadable()) {
        disk.setReadable(true);
        SimProcess blind = member.process();
        if (blind != null) {
          world.end(blind);
        }
      }
    }
    for (SimMember member : world.members()) {
      if (random.nextBoolean() || !isEnough()) {
        world.start(member);
      }
    }
    if (!isEnough()) {
      throw new InvariantViolationException("more disks were lost than the limit allows");
    }
  }

  /** A majority of voters is up, and one that may lead; lost disks are learnt again from these. */
  private boolean isEnough() {
    long voters = world.members().stream().filter(m -> m.isUp() && m.disk().keepsABallot()).count();
    boolean anyUp = world.processes().stream().anyMatch(p -> p.election() != null);
    boolean allUp = world.processes().size() == world.plan().size();
    return allUp || (anyUp && voters >= world.plan().majority());
  }
}
