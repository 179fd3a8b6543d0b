package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Carries messages; while faults last it loses, delays, doubles and reorders them, and cuts stop
 * them in one direction or both.
 */
final class SimNet {
  private static final long MILLI = 1_000_000L;

  /** Stops messages from one member to another. */
  interface Cut {
    boolean stops(int from, int to);
  }

  private record Slowness(Cut where, long late) {}

  private final SimWorld world;
  private final SplittableRandom random;
  private final int troublePercent;
  private final long latest;
  private final List<Slowness> slow = new ArrayList<>();
  private final List<Cut> cuts = new ArrayList<>();

  SimNet(SimWorld world, SplittableRandom random, int troublePercent, long latest) {
    this.world = world;
    this.random = random;
    this.troublePercent = troublePercent;
    this.latest = latest;
  }

  void send(int from, int to, QuorumMessage message) {
    if (isCut(from, to)) {
      if (random.nextInt(8) == 0) {
        deliver(from, to, message, random.nextLong(latest)); // Kept in some buffer.
      }
      return;
    }
    if (isTroubled() && random.nextInt(3) == 0) {
      return;
    }
    deliver(from, to, message, delay() + lateness(from, to));
    if (isTroubled()) {
      deliver(from, to, message, delay() + lateness(from, to));
    }
  }

  private long lateness(int from, int to) {
    long late = 0;
    for (Slowness slowness : slow) {
      late += slowness.where().stops(from, to) ? slowness.late() : 0;
    }
    return late;
  }

  private void deliver(int from, int to, QuorumMessage message, long delay) {
    world.at(world.now() + delay, () -> arrive(from, world.member(to), message));
  }

  private void arrive(int from, SimMember member, QuorumMessage message) {
    SimProcess process = member.process();
    if (process == null) {
      if (random.nextInt(3) == 0) {
        // Whoever speaks for the member next gets it, also replies to what it never sent.
        member.queuedForNextProcess().add(() -> deliver(from, member.index(), message, delay()));
      }
    } else if (!process.isPaused() || random.nextInt(4) > 0) {
      process.run(() -> process.voter().tell(new QuorumInput.Received(from, message)));
    }
  }

  boolean isCut(int from, int to) {
    for (Cut cut : cuts) {
      if (cut.stops(from, to)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTroubled() {
    return world.isStormy() && random.nextInt(100) < troublePercent;
  }

  private long delay() {
    if (isTroubled()) {
      return random.nextLong(random.nextBoolean() ? latest : latest / 6);
    }
    return MILLI / 5 + random.nextLong(5 * MILLI);
  }

  /** What such a cut would stop comes so much later instead. */
  void delay(Cut where, long late, long length) {
    Slowness slowness = new Slowness(where, late);
    slow.add(slowness);
    world.at(world.now() + length, () -> slow.remove(slowness));
  }

  void add(Cut cut) {
    cuts.add(cut);
  }

  void remove(Cut cut) {
    cuts.remove(cut);
  }

  void heal() {
    cuts.clear();
    slow.clear();
  }
}
