package io.portcullis.backend.quorum.sim;

import java.util.function.Predicate;

/**
 * Which disks may be lost: so many at most, at any time, that the promise still holds. The stated
 * limit is a majority of disks lost.
 *
 * <p>A member that has lost its disk and not learnt again counts as lost. Once somebody may have
 * been elected, one that never took part in anything is no better: had all but a few of an
 * election's voters lost their disks, the others would take it for a first one.
 */
final class DiskLossLimit {
  private final SimWorld world;

  DiskLossLimit(SimWorld world) {
    this.world = world;
  }

  boolean allowsLosing(SimMember member) {
    int majority = world.plan().majority();
    long voters = othersThat(member, other -> other.disk().keepsABallot());
    long knowing = othersThat(member, other -> other.disk().term() > 0);
    boolean nobodyTookPart = knowing == 0 && member.disk().term() == 0;
    return voters >= world.plan().size() - majority + 1
        && (nobodyTookPart || knowing >= majority - 1);
  }

  private long othersThat(SimMember member, Predicate<SimMember> are) {
    return world.members().stream().filter(other -> other != member).filter(are).count();
  }
}
