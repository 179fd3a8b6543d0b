package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.sim.SimNet.Cut;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Splits the network, or isolates single members or directions, for a limited time. */
final class PartitionFaults {
  private final SimWorld world;
  private final SplittableRandom random;
  private final long lease;

  PartitionFaults(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.lease = world.plan().longestLease().toNanos();
  }

  void isolate(SimProcess process) {
    int one = process.member().index();
    cut("isolated: " + process.member(), "isolated", (from, to) -> from == one || to == one);
  }

  /** Isolates a member in one direction: it can't send, or it can't receive. */
  void isolateOneWay(SimProcess process) {
    int one = process.member().index();
    if (random.nextBoolean()) {
      cut(process.member() + " can't send", "cannot send", (from, to) -> from == one);
    } else {
      cut(process.member() + " can't receive", "cannot receive", (from, to) -> to == one);
    }
  }

  /** Splits the members into two parts, in both directions or in one. */
  void split() {
    BitSet part = randomMembers(0.5);
    boolean oneWay = random.nextInt(3) == 0;
    cut(
        "split: " + part + (oneWay ? " receives from the others" : " and the others"),
        "split",
        (from, to) -> oneWay ? part.get(from) && !part.get(to) : part.get(from) != part.get(to));
  }

  /** Cuts single connections, in one direction or in both. */
  void breakConnections() {
    int size = world.plan().size();
    boolean bothWays = random.nextBoolean();
    double share = random.nextDouble(0.6);
    BitSet broken = new BitSet(size * size);
    for (int link = 0; link < size * size; link++) {
      broken.set(link, random.nextDouble() < share);
    }
    cut(
        "broken connections",
        "broken connections",
        (from, to) -> broken.get(from * size + to) || (bothWays && broken.get(to * size + from)));
  }

  /** Isolates the leader in half of the cases, so that the others may elect a second one. */
  void maybeIsolateLeader() {
    SimProcess leader = world.gates().open();
    if (leader != null && random.nextBoolean()) {
      isolate(leader);
    }
  }

  /** Delays all messages from a member, or to it. */
  void slow(SimProcess process) {
    int one = process.member().index();
    boolean outgoing = random.nextBoolean();
    long delay = random.nextLong(random.nextInt(4) == 0 ? 2 * lease : lease / 2);
    world.note(
        (outgoing ? "from " : "to ")
            + process.member()
            + " delayed by "
            + delay / 1_000_000
            + "ms");
    world.marks().hit("slow");
    world.net().delay((from, to) -> outgoing ? from == one : to == one, delay, length());
  }

  private BitSet randomMembers(double share) {
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
    world.note("the network is healed");
    world.net().heal();
    world.links().refresh();
  }
}
