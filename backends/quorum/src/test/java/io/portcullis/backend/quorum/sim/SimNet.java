package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.backend.quorum.machine.QuorumMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Transports messages; while faults last it loses, delays, duplicates and reorders them, and cuts
 * drop them in one direction or both.
 */
final class SimNet {
  private static final long MILLI = 1_000_000L;

  /** Selects paths from one member to another. */
  interface Cut {
    boolean matches(int from, int to);
  }

  private record SlowPath(Cut path, long extraDelay) {}

  private final SimWorld world;
  private final SplittableRandom random;
  private final int faultPercent;
  private final long maxDelay;
  private final List<SlowPath> slow = new ArrayList<>();
  private final List<Cut> cuts = new ArrayList<>();

  SimNet(SimWorld world, SplittableRandom random, int faultPercent, long maxDelay) {
    this.world = world;
    this.random = random;
    this.faultPercent = faultPercent;
    this.maxDelay = maxDelay;
  }

  void send(int from, int to, QuorumMessage message) {
    if (isCut(from, to)) {
      if (random.nextInt(8) == 0) {
        // Stays in a buffer and arrives late.
        deliver(from, to, message, random.nextLong(maxDelay));
      }
      return;
    }
    if (isFaulty() && random.nextInt(3) == 0) {
      return;
    }
    deliver(from, to, message, delay() + extraDelayOf(from, to));
    if (isFaulty()) {
      deliver(from, to, message, delay() + extraDelayOf(from, to));
    }
  }

  private long extraDelayOf(int from, int to) {
    long extraDelay = 0;
    for (SlowPath slowPath : slow) {
      extraDelay += slowPath.path().matches(from, to) ? slowPath.extraDelay() : 0;
    }
    return extraDelay;
  }

  private void deliver(int from, int to, QuorumMessage message, long delay) {
    world.at(world.now() + delay, () -> arrive(from, world.member(to), message));
  }

  private void arrive(int from, SimMember member, QuorumMessage message) {
    SimProcess process = member.process();
    if (process == null) {
      if (random.nextInt(3) == 0) {
        // The next process of the member receives it, even replies to requests it never sent.
        member.queuedForNextProcess().add(() -> deliver(from, member.index(), message, delay()));
      }
    } else if (!process.isPaused() || random.nextInt(4) > 0) {
      process.run(() -> process.voter().deliver(new QuorumInput.Received(from, message)));
    }
  }

  boolean isCut(int from, int to) {
    for (Cut cut : cuts) {
      if (cut.matches(from, to)) {
        return true;
      }
    }
    return false;
  }

  private boolean isFaulty() {
    return world.faultsActive() && random.nextInt(100) < faultPercent;
  }

  private long delay() {
    if (isFaulty()) {
      return random.nextLong(random.nextBoolean() ? maxDelay : maxDelay / 6);
    }
    return MILLI / 5 + random.nextLong(5 * MILLI);
  }

  /** Delays messages on these paths by {@code extraDelay} for {@code length}. */
  void delay(Cut path, long extraDelay, long length) {
    SlowPath slowPath = new SlowPath(path, extraDelay);
    slow.add(slowPath);
    world.at(world.now() + length, () -> slow.remove(slowPath));
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
