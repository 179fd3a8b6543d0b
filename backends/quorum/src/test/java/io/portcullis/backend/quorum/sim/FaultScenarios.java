package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.sim.SimNet.Cut;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Fault sequences aimed at two leaders, too rare by chance: each consists of ordinary faults, but
 * random injection would need millions of seeds to produce it.
 */
final class FaultScenarios {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final CrashFaults crashes;
  private final PartitionFaults partitions;
  private final long lease;
  private final @Nullable SplittableRandom lateResponses;
  private @Nullable Runnable afterElection;

  FaultScenarios(
      SimWorld world, SplittableRandom random, CrashFaults crashes, PartitionFaults partitions) {
    this.world = world;
    this.random = random;
    this.crashes = crashes;
    this.partitions = partitions;
    this.lease = world.plan().longestLease().toNanos();
    this.lateResponses = world.plan().lateResponses();
  }

  /** A member has a majority of votes, and sends its first heartbeat now. */
  void onElected(SimProcess leader) {
    if (lateResponses != null && lateResponses.nextBoolean()) {
      delayFirstResponse(leader, lateResponses);
    }
    Runnable next = afterElection;
    afterElection = null;
    if (next != null) {
      world.ifFaultsActive(
          world.now() + random.nextLong(random.nextBoolean() ? 30 * MILLI : lease), next);
    }
  }

  /**
   * All members promise at once in reply to the first heartbeat, but the leader receives the
   * replies late. From then on it is isolated, and its own voter hangs, so that only its deadline
   * ends its tenure. The length of the tenure depends on when the leader counts its lease from.
   */
  private void delayFirstResponse(SimProcess leader, SplittableRandom delays) {
    world.marks().hit("late first response");
    int leaderIndex = leader.member().index();
    long delay = (long) (leader.timing().askTimeout().toNanos() * delays.nextDouble(0.3, 0.9));
    world.note("to " + leader + " delayed by " + delay / MILLI + "ms");
    world.net().delay((from, to) -> to == leaderIndex, delay, delay);
    world.ifFaultsActive(
        world.now() + (10 + delays.nextLong(20)) * MILLI,
        () ->
            partitions.cutFor(
                2 * lease,
                "isolated: " + leader,
                (from, to) -> from == leaderIndex || to == leaderIndex));
    world.ifFaultsActive(world.now() + delay + 10 * MILLI, () -> leader.voter().hang(2 * lease));
  }

  /** Restarts supporters now, or after the next election. */
  void restartSupportersSoon() {
    SimProcess leader = world.gates().open();
    if (leader == null || random.nextBoolean()) {
      afterElection = this::restartSupporters;
      if (leader != null && leader.election() != null && random.nextBoolean()) {
        leader.election().stepDown();
      }
    } else {
      restartSupporters();
    }
  }

  /**
   * A minority cannot reach the leader and would elect another; the members whose promises keep the
   * leader restart one by one, with or without losing their disks.
   */
  private void restartSupporters() {
    SimProcess leader = world.gates().open();
    if (leader == null) {
      return;
    }
    world.marks().hit("supporters restarted");
    int leaderIndex = leader.member().index();
    BitSet isolated = minorityWithout(leaderIndex);
    long length = lease * (2 + random.nextInt(2));
    partitions.cutFor(
        length,
        isolated + " can't reach " + leader.member(),
        (from, to) ->
            (from == leaderIndex && isolated.get(to)) || (to == leaderIndex && isolated.get(from)));
    boolean disks = random.nextInt(3) == 0;
    for (long at = lease / 2; at < length; at += lease / 4) {
      world.ifFaultsActive(
          world.now() + at + random.nextLong(lease / 4),
          () -> restartSupporter(leaderIndex, isolated, disks));
    }
  }

  private void restartSupporter(int leader, BitSet isolated, boolean disk) {
    SimMember member = world.member(random.nextInt(world.plan().size()));
    if (member.index() != leader && !isolated.get(member.index())) {
      crashes.restartQuickly(member, disk);
    }
  }

  /**
   * A leader is elected by members that soon lose their disks, while the others are isolated; the
   * leader is isolated before the others are reachable again.
   */
  void loseVoters() {
    SimProcess leader = world.gates().open();
    BitSet unaware = minorityWithout(leader == null ? -1 : leader.member().index());
    long length = 4 * lease;
    Cut cut =
        partitions.cutFor(
            length,
            "split: " + unaware + " and the others",
            (from, to) -> unaware.get(from) != unaware.get(to));
    if (leader != null && random.nextBoolean()) {
      crashes.crash(leader);
    }
    afterElection = () -> loseDisksOfVoters(unaware, cut);
  }

  private void loseDisksOfVoters(BitSet unaware, Cut cut) {
    SimProcess leader = world.gates().open();
    if (leader == null || unaware.get(leader.member().index())) {
      return;
    }
    world.marks().hit("voters lost their disks");
    int leaderIndex = leader.member().index();
    partitions.cutFor(
        4 * lease, "isolated: " + leader, (from, to) -> from == leaderIndex || to == leaderIndex);
    partitions.end(cut);
    for (SimMember member : world.members()) {
      if (member.index() != leaderIndex && !unaware.get(member.index())) {
        crashes.restartQuickly(member, true);
      }
    }
  }

  private BitSet minorityWithout(int leader) {
    List<Integer> all = new ArrayList<>(world.members().stream().map(SimMember::index).toList());
    all.remove(Integer.valueOf(leader));
    Collections.shuffle(all, new Random(random.nextLong()));
    int maxSize = world.plan().size() - world.plan().majority();
    int size = random.nextBoolean() ? maxSize : 1 + random.nextInt(maxSize);
    BitSet minority = new BitSet();
    all.subList(0, size).forEach(minority::set);
    return minority;
  }
}
