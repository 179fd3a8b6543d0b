package io.portcullis.election.sim;

import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.Input;
import io.portcullis.election.store.LeaseResponse;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Transports requests and responses; while faults last it loses, delays, duplicates and reorders
 * them.
 */
final class SimNetwork {
  private static final long MILLI = 1_000_000L;

  private final SimWorld world;
  private final SimStore store;
  private final SplittableRandom random;
  private final Set<SimNode> cutOff = new HashSet<>();
  private final int troublePercent;
  private final long latest;
  private boolean calm;
  private boolean storeDown;

  SimNetwork(
      SimWorld world, SimStore store, SplittableRandom random, int troublePercent, long latest) {
    this.world = world;
    this.store = store;
    this.random = random;
    this.troublePercent = troublePercent;
    this.latest = latest;
  }

  void send(SimNode node, Effect.Ask ask) {
    if (isTroubled() && random.nextInt(3) == 0) {
      return; // The request is lost.
    }
    deliver(node, ask, delay());
    if (isTroubled()) {
      deliver(node, ask, delay()); // Sent twice, as a proxy or a client library may.
    }
  }

  private void deliver(SimNode node, Effect.Ask ask, long delay) {
    long sentNanos = node.clock().nanosAt(world.now());
    world.at(
        world.now() + delay,
        () -> {
          if (storeDown || cutOff.contains(node)) {
            return;
          }
          LeaseResponse answer = store.serve(ask.request(), world.now());
          world.transcript().served(world.now(), node, ask, answer);
          if (isTroubled() && random.nextInt(3) == 0) {
            return; // The response is lost.
          }
          long storeMillis = store.wallMillisAt(world.now());
          world.at(world.now() + delay(), () -> arrive(node, ask, answer, storeMillis, sentNanos));
        });
  }

  private void arrive(
      SimNode node, Effect.Ask ask, LeaseResponse answer, long storeMillis, long sentNanos) {
    if (!cutOff.contains(node)) {
      boolean unreadable = isTroubled() && random.nextInt(6) == 0;
      node.deliver(
          new Input.Answered(
              ask.sequence(),
              unreadable
                  ? new LeaseResponse.Unknown("unreadable")
                  : node.checked(answer, storeMillis, sentNanos)));
    }
  }

  private boolean isTroubled() {
    return !calm && random.nextInt(100) < troublePercent;
  }

  private long delay() {
    if (isTroubled()) {
      return random.nextLong(random.nextBoolean() ? latest : latest / 6);
    }
    return MILLI / 5 + random.nextLong(5 * MILLI);
  }

  void cutOff(SimNode node) {
    cutOff.add(node);
  }

  void reconnect(SimNode node) {
    cutOff.remove(node);
  }

  void storeDown(boolean down) {
    storeDown = down;
  }

  void calm() {
    calm = true;
    storeDown = false;
    cutOff.clear();
  }
}
