package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Notifies every process of its connections, with a delay. If only one direction is cut, chance
 * decides whether they are connected.
 */
final class SimLinks {
  private static final long MAX_DELAY_NANOS = 300_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final Map<SimProcess, @Nullable SimProcess[]> delivered = new LinkedHashMap<>();
  private final Map<SimProcess, Long> lastDelivered = new LinkedHashMap<>();

  SimLinks(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void refresh() {
    delivered.keySet().removeIf(process -> !process.isAlive());
    lastDelivered.keySet().removeIf(process -> !process.isAlive());
    for (SimProcess process : world.processes()) {
      @Nullable SimProcess[] known =
          delivered.computeIfAbsent(process, p -> new SimProcess[world.plan().size()]);
      for (SimMember other : world.members()) {
        SimProcess linked = reachable(process, other);
        if (other != process.member() && known[other.index()] != linked) {
          known[other.index()] = linked;
          deliver(process, other, linked);
        }
      }
    }
  }

  private @Nullable SimProcess reachable(SimProcess process, SimMember other) {
    boolean there = world.net().isCut(process.member().index(), other.index());
    boolean back = world.net().isCut(other.index(), process.member().index());
    boolean up = there == back ? !there : random.nextBoolean();
    return up ? other.process() : null;
  }

  private void deliver(SimProcess process, SimMember other, @Nullable SimProcess linked) {
    QuorumInput input =
        linked == null
            ? new QuorumInput.Unlinked(other.index())
            : new QuorumInput.Linked(other.index(), linked.toString(), null);
    long earliest = world.now() + random.nextLong(MAX_DELAY_NANOS);
    // In order, since one thread delivers them all.
    long at = Math.max(earliest, lastDelivered.getOrDefault(process, 0L));
    lastDelivered.put(process, at);
    world.at(at, () -> process.run(() -> process.voter().deliver(input)));
  }
}
