package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Tells every process who can be reached. News are late; where one direction is cut, a guess. */
final class SimLinks {
  private static final long MAX_DELAY_NANOS = 300_000_000L;

  private final SimWorld world;
  private final SplittableRandom random;
  private final Map<SimProcess, @Nullable SimProcess[]> announced = new LinkedHashMap<>();
  private final Map<SimProcess, Long> lastAnnounced = new LinkedHashMap<>();

  SimLinks(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void refresh() {
    announced.keySet().removeIf(process -> !process.isAlive());
    lastAnnounced.keySet().removeIf(process -> !process.isAlive());
    for (SimProcess process : world.processes()) {
      @Nullable SimProcess[] known =
          announced.computeIfAbsent(process, p -> new SimProcess[world.plan().size()]);
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
    long soon = world.now() + random.nextLong(MAX_DELAY_NANOS);
    long at = Math.max(soon, lastAnnounced.getOrDefault(process, 0L)); // One thread tells them all.
    lastAnnounced.put(process, at);
    world.at(at, () -> process.run(() -> process.voter().tell(news)));
  }
}
