package io.portcullis.backend.quorum.machine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** State of the other members, used for reports and for choosing a successor. */
final class Peers {
  /**
   * A process that runs as a member.
   *
   * @param address where its service can be reached, null if it did not report one
   */
  record MemberProcess(String identity, @Nullable String address) {}

  /** A member that wants to lead. */
  private record WillingMember(int member, int priority) {}

  private final QuorumConfig config;
  private final Map<Integer, MemberProcess> linked = new TreeMap<>();
  private final Map<Integer, MemberProcess> known = new HashMap<>();
  private final Map<Integer, WillingMember> willing = new HashMap<>();

  Peers(QuorumConfig config) {
    this.config = config;
    known.put(config.self(), new MemberProcess(config.identity(), config.process().address()));
  }

  void linked(int member, MemberProcess process) {
    linked.put(member, process);
    known.put(member, process);
  }

  void unlinked(int member) {
    linked.remove(member);
    willing.remove(member);
  }

  /** Connected members in list order, so that simulations are deterministic. */
  List<Integer> linked() {
    return List.copyOf(linked.keySet());
  }

  /**
   * The process that last connected as this member; if there was none, its id in the list serves as
   * identity.
   */
  MemberProcess of(int member) {
    MemberProcess process = known.get(member);
    return process == null ? new MemberProcess(config.members().get(member), null) : process;
  }

  void onReply(int member, boolean wants, int priority) {
    if (wants) {
      willing.put(member, new WillingMember(member, priority));
    } else {
      willing.remove(member);
    }
  }

  /**
   * The member to name as the next leader, -1 if none is known to want to lead: highest priority
   * first, then highest position in the list.
   */
  int bestSuccessor() {
    return willing.values().stream()
        .max(
            Comparator.comparingInt(WillingMember::priority)
                .thenComparingInt(WillingMember::member))
        .map(WillingMember::member)
        .orElse(-1);
  }

  boolean reachMajority() {
    return linked.size() + 1 >= config.majority();
  }

  /**
   * Describes which members are missing for a majority. The text stays the same as long as the same
   * members are missing.
   *
   * @param poll a round with too few replies, null if there are too few connections
   */
  String whyNoMajority(@Nullable VoteTally poll) {
    List<String> disconnected = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (int member = 0; member < config.size(); member++) {
      if (member == config.self()) {
        continue;
      }
      if (!linked.containsKey(member)) {
        disconnected.add(config.members().get(member));
      } else if (poll != null && !poll.hasAnswerOf(member)) {
        silent.add(config.members().get(member));
      }
    }
    List<String> missing = new ArrayList<>();
    if (!disconnected.isEmpty()) {
      missing.add("no link with " + String.join(", ", disconnected));
    }
    if (!silent.isEmpty()) {
      missing.add("no response from " + String.join(", ", silent));
    }
    return "no majority of the " + config.size() + " members: " + String.join("; ", missing);
  }
}
