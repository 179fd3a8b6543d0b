package io.portcullis.backend.quorum.machine;

import io.portcullis.election.store.PreferredNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The members that follow this leader and would lead in turn, as their acknowledgements of its
 * heartbeats tell. It decides who is named when the leader lets go, and nothing else.
 */
final class Successors {
  /** Who has not been heard for this share of a lease is not well enough to be named. */
  private static final int SHARE_OF_LEASE = 3;

  /**
   * A member that promises and wants to lead.
   *
   * @param sinceNanos since when it does so without a break
   * @param heardNanos when it last said so
   */
  private record Heir(int member, int priority, long sinceNanos, long heardNanos) {}

  private final QuorumConfig config;
  private final Map<Integer, Heir> heirs = new HashMap<>();

  Successors(QuorumConfig config) {
    this.config = config;
  }

  /** A new tenure: what was heard in an earlier one is old. */
  void forget() {
    heirs.clear();
  }

  void forget(int member) {
    heirs.remove(member);
  }

  /** An acknowledgement, which tells whether this member could follow. */
  void hear(int member, boolean couldFollow, int priority, MemberStepContext now) {
    Heir before = heirs.get(member);
    if (!couldFollow) {
      heirs.remove(member);
    } else if (before == null || !isFresh(before, now) || before.priority() != priority) {
      heirs.put(member, new Heir(member, priority, now.nanos(), now.nanos()));
    } else {
      heirs.put(member, new Heir(member, priority, before.sinceNanos(), now.nanos()));
    }
  }

  private boolean isFresh(Heir heir, MemberStepContext now) {
    return now.nanos() - heir.heardNanos() <= config.lease().toNanos() / SHARE_OF_LEASE;
  }

  /** How it stands with each member. */
  Succession succession(Peers peers, MemberStepContext now) {
    Map<String, String> objections = new HashMap<>();
    for (int member = 0; member < config.size(); member++) {
      if (member != config.self()) {
        objections.put(config.members().get(member), objection(member, peers, now));
      }
    }
    PreferredNode preferred =
        heirs.values().stream()
            .filter(heir -> heir.priority() > config.priority() && isFresh(heir, now))
            .max(Comparator.comparingInt(Heir::priority).thenComparingInt(Heir::member))
            .map(heir -> new PreferredNode(config.members().get(heir.member()), heir.sinceNanos()))
            .orElse(null);
    return new Succession(objections, preferred);
  }

  private String objection(int member, Peers peers, MemberStepContext now) {
    if (!peers.linked().contains(member)) {
      return "there is no link with that member";
    }
    Heir heir = heirs.get(member);
    if (heir == null) {
      return "that member does not want to lead, or does not follow this leader yet: it is a"
          + " witness, drained, not eligible, just starting, or can't vote";
    }
    return isFresh(heir, now) ? "" : "that member has not acknowledged a heartbeat lately";
  }
}
