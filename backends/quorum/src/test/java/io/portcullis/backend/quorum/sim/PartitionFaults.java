package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.sim.SimNet.Cut;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Cuts the network in two, or single members or single directions out of it, for a while. */
final class PartitionFaults {
  private final SimWorld world;
  private final SplittableRandom random;
  private final long lease;

  PartitionFaults(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.lease = world.plan().longestLease().toNanos();
  }

  void cutOff(SimProcess process) {
    int one = process.member().index();
    cut("cut off " + process.member(), "cut off", (from, to) -> from == one || to == one);
  }

  /** A member that hears but can't speak, or speaks but can't hear. */
  void cutOffOneWay(SimProcess process) {
    int one = process.member().index();
    if (random.nextBoolean()) {
      cut(process.member() + " is dumb", "dumb", (from, to) -> from == one);
    } else {
      cut(process.member() + " is deaf", "deaf", (from, to) -> to == one);
    }
  }

  /** Two parts that hear nothing of each other, or one of them nothing of the other. */
  void split() {
    BitSet part = some(0.5);
    boolean oneWay = random.nextInt(3) == 0;
    cut(
        "split: " + part + (oneWay ? " hears the others" : " and the others"),
        "split",
        (from, to) -> oneWay ? part.get(from) && !part.get(to) : part.get(from) != part.get(to));
  }

  /** Single links in single directions, or in both. */
  void breakLinks() {
    int size = world.plan().size();
    boolean bothWays = random.nextBoolean();
    double share = random.nextDouble(0.6);
    BitSet broken = new BitSet(size * size);
    for (int link = 0; link < size * size; link++) {
      broken.set(link, random.nextDouble() < share);
    }
    cut(
        "broken links",
        "broken links",
        (from, to) -> broken.get(from * size + to) || (bothWays && broken.get(to * size + from)));
  }

  /** The moment at which others may be tempted to elect a second one. */
  void perhapsCutOffLeader() {
    SimProcess leader = world.gates().open();
    if (leader != null && random.nextBoolean()) {
      cutOff(leader);
    }
  }

  /** A member that the others hear late, or that hears them late. */
  void slow(SimProcess process) {
    int one = process.member().index();
    boolean speaks = random.nextBoolean();
    long late = random.nextLong(random.nextInt(4) == 0 ? 2 * lease : lease / 2);
    world.note((speaks ? "from " : "to ") + process.member() + " all takes " + late / 1_000_000);
    world.marks().hit("slow");
    world.net().delay((from, to) -> speaks ? from == one : to == one, late, length());
  }

  private BitSet some(double share) {
    BitSet chosen = new BitSet();
    for (int i = 0; i < world.plan().size(); i++) {
      chosen.set(i, random.nextDouble() < share);
    }
    return chosen;
  }

  private void cut(String what, String mark, Cut cut) {
    world.marks().hit(mark);
    cutFor(length(), what, cut);
  }

  private long length() {
    return random.nextLong(random.nextBoolean() ? 3 * lease : lease);
  }

  Cut cutFor(long length, String what, Cut cut) {
    world.note(what);
    world.net().add(cut);
    world.links().refresh();
    world.at(world.now() + length, () -> end(cut));
    return cut;
  }

  void end(Cut cut) {
    world.net().remove(cut);
    world.links().refresh();
  }

  void heal() {
    world.note("the network is mended");
    world.net().heal();
    world.links().refresh();
  }
}
