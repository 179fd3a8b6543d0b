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
 * Faults that follow upon each other as if somebody wanted two leaders. Each is but a run of
 * ordinary bad luck; left to chance alone it would take millions of seeds.
 */
final class FaultScenarios {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final CrashFaults deaths;
  private final PartitionFaults cuts;
  private final long lease;
  private final @Nullable SplittableRandom lateAnswers;
  private @Nullable Runnable afterElection;

  FaultScenarios(
      SimWorld world, SplittableRandom random, CrashFaults deaths, PartitionFaults cuts) {
    this.world = world;
    this.random = random;
    this.deaths = deaths;
    this.cuts = cuts;
    this.lease = world.plan().longestLease().toNanos();
    this.lateAnswers = world.plan().lateAnswers();
  }

  /** Somebody has a majority of votes, and its first heartbeat is about to leave. */
  void onElected(SimProcess leader) {
    if (lateAnswers != null && lateAnswers.nextBoolean()) {
      lateAnswer(leader, lateAnswers);
    }
    Runnable next = afterElection;
    afterElection = null;
    if (next != null) {
      world.inStorm(world.now() + random.nextLong(random.nextBoolean() ? 30 * MILLI : lease), next);
    }
  }

  /**
   * All promise at once upon the first heartbeat, but the leader hears of it late. From then on it
   * is heard no more, and its own voter hangs, so that nothing but its deadline ends its tenure:
   * how long that is depends on when it takes its lease to have begun.
   */
  private void lateAnswer(SimProcess leader, SplittableRandom dice) {
    world.marks().hit("late first answer");
    int one = leader.member().index();
    long late = (long) (leader.timing().askTimeout().toNanos() * dice.nextDouble(0.3, 0.9));
    world.note("to " + leader + " all takes " + late / MILLI);
    world.net().delay((from, to) -> to == one, late, late);
    world.inStorm(
        world.now() + (10 + dice.nextLong(20)) * MILLI,
        () -> cuts.cutFor(2 * lease, "cut off " + leader, (from, to) -> from == one || to == one));
    world.inStorm(world.now() + late + 10 * MILLI, () -> leader.voter().hang(2 * lease));
  }

  /** Now, or once the present leader has given way to another. */
  void siegeSoon() {
    SimProcess leader = world.gates().open();
    if (leader == null || random.nextBoolean()) {
      afterElection = this::siege;
      if (leader != null && leader.election() != null && random.nextBoolean()) {
        leader.election().stepDown();
      }
    } else {
      siege();
    }
  }

  /**
   * A few members hear nothing of the leader and would elect another; and those who keep it in
   * office lose their memory one by one.
   */
  private void siege() {
    SimProcess leader = world.gates().open();
    if (leader == null) {
      return;
    }
    world.marks().hit("siege");
    int one = leader.member().index();
    BitSet exiles = minorityWithout(one);
    long length = lease * (2 + random.nextInt(2));
    cuts.cutFor(
        length,
        exiles + " can't reach " + leader.member(),
        (from, to) -> (from == one && exiles.get(to)) || (to == one && exiles.get(from)));
    boolean disks = random.nextInt(3) == 0;
    for (long at = lease / 2; at < length; at += lease / 4) {
      world.inStorm(
          world.now() + at + random.nextLong(lease / 4), () -> forget(one, exiles, disks));
    }
  }

  private void forget(int leader, BitSet exiles, boolean disk) {
    SimMember member = world.member(random.nextInt(world.plan().size()));
    if (member.index() != leader && !exiles.get(member.index())) {
      deaths.restartQuickly(member, disk);
    }
  }

  /**
   * A leader is elected by members who soon lose their disks, while the others were cut off; and it
   * is gone before they are back.
   */
  void lostGeneration() {
    SimProcess leader = world.gates().open();
    BitSet unaware = minorityWithout(leader == null ? -1 : leader.member().index());
    long length = 4 * lease;
    Cut cut =
        cuts.cutFor(
            length,
            "split: " + unaware + " and the others",
            (from, to) -> unaware.get(from) != unaware.get(to));
    if (leader != null && random.nextBoolean()) {
      deaths.crash(leader);
    }
    afterElection = () -> loseGeneration(unaware, cut);
  }

  private void loseGeneration(BitSet unaware, Cut cut) {
    SimProcess leader = world.gates().open();
    if (leader == null || unaware.get(leader.member().index())) {
      return;
    }
    world.marks().hit("lost generation");
    int one = leader.member().index();
    cuts.cutFor(4 * lease, "cut off " + leader, (from, to) -> from == one || to == one);
    cuts.end(cut);
    for (SimMember member : world.members()) {
      if (member.index() != one && !unaware.get(member.index())) {
        deaths.restartQuickly(member, true);
      }
    }
  }

  private BitSet minorityWithout(int leader) {
    List<Integer> all = new ArrayList<>(world.members().stream().map(SimMember::index).toList());
    all.remove(Integer.valueOf(leader));
    Collections.shuffle(all, new Random(random.nextLong()));
    int most = world.plan().size() - world.plan().majority();
    int size = random.nextBoolean() ? most : 1 + random.nextInt(most);
    BitSet few = new BitSet();
    all.subList(0, size).forEach(few::set);
    return few;
  }
}
