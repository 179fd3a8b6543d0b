package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Tells every process who can be reached. News are late; where one direction is cut, a guess. */
final class Links {
  private static final long SLOWEST = 300_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final Map<SimProcess, @Nullable SimProcess[]> told = new LinkedHashMap<>();
  private final Map<SimProcess, Long> lastTold = new LinkedHashMap<>();

  Links(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void refresh() {
    told.keySet().removeIf(process -> !process.isAlive());
    lastTold.keySet().removeIf(process -> !process.isAlive());
    for (SimProcess process : world.processes()) {
      @Nullable SimProcess[] known =
          told.computeIfAbsent(process, p -> new SimProcess[world.plan().size()]);
      for (SimMember other : world.members()) {
        SimProcess linked = reachable(process, other);
        if (other != process.member() && known[other.index()] != linked) {
          known[other.index()] = linked;
          tell(process, other, linked);
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

  private void tell(SimProcess process, SimMember other, @Nullable SimProcess linked) {
    QuorumInput news =
        linked == null
            ? new QuorumInput.Unlinked(other.index())
            : new QuorumInput.Linked(other.index(), linked.toString(), null);
    long soon = world.now() + random.nextLong(SLOWEST);
    long at = Math.max(soon, lastTold.getOrDefault(process, 0L)); // One thread tells them all.
    lastTold.put(process, at);
    world.at(at, () -> process.run(() -> process.voter().tell(news)));
  }
}
