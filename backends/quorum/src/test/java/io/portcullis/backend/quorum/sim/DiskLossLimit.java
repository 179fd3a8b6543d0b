package io.portcullis.backend.quorum.sim;

import java.util.function.Predicate;

/**
 * Decides which disks may be lost, so that the documented guarantee still applies. It does not
 * apply once a majority of disks is lost.
 *
 * <p>A member that has lost its disk counts as lost until it has recovered. Once a leader may have
 * been elected, a member that never took part in any term does not help either: if all but a few of
 * an election's voters had lost their disks, the others would take it for the first election.
 */
final class DiskLossLimit {
  private final SimWorld world;

  DiskLossLimit(SimWorld world) {
    this.world = world;
  }

  boolean allowsLosing(SimMember member) {
    int majority = world.plan().majority();
    long voters = countOthers(member, other -> other.disk().hasBallot());
    long withTerm = countOthers(member, other -> other.disk().term() > 0);
    boolean nobodyTookPart = withTerm == 0 && member.disk().term() == 0;
    return voters >= world.plan().size() - majority + 1
        && (nobodyTookPart || withTerm >= majority - 1);
  }

  private long countOthers(SimMember member, Predicate<SimMember> condition) {
    return world.members().stream().filter(other -> other != member).filter(condition).count();
  }
}
