package io.portcullis.backend.quorum.machine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of the other members. News for people and for choosing a successor. */
final class Peers {
  /**
   * A process that speaks for a member.
   *
   * @param identity who it is
   * @param address where its service can be reached, if it said so
   */
  record MemberProcess(String identity, @Nullable String address) {}

  /** A member that would lead. */
  private record WillingMember(int member, int priority) {}

  private final QuorumConfig config;
  private final Map<Integer, MemberProcess> linked = new TreeMap<>();
  private final Map<Integer, MemberProcess> known = new HashMap<>();
  private final Map<Integer, WillingMember> willing = new HashMap<>();

  Peers(QuorumConfig config) {
    this.config = config;
    known.put(config.self(), new MemberProcess(config.identity(), config.address()));
  }

  void linked(int member, MemberProcess process) {
    linked.put(member, process);
    known.put(member, process);
  }

  void unlinked(int member) {
    linked.remove(member);
    willing.remove(member);
  }

  /** In the order of the list, so that a simulation is the same each time. */
  List<Integer> linked() {
    return List.copyOf(linked.keySet());
  }

  /** The process that last spoke for a member; its name in the list, if none ever did. */
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

  /** Who should lead next, -1 if nobody is known to want to: by priority, then by name. */
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
   * Who is missing for a majority, in words that stay the same while that does.
   *
   * @param poll a question that too few have answered, null if links alone are too few
   */
  String whyNoMajority(@Nullable VoteTally poll) {
    List<String> apart = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (int member = 0; member < config.size(); member++) {
      if (member == config.self()) {
        continue;
      }
      if (!linked.containsKey(member)) {
        apart.add(config.members().get(member));
      } else if (poll != null && !poll.hasAnswerOf(member)) {
        silent.add(config.members().get(member));
      }
    }
    List<String> missing = new ArrayList<>();
    if (!apart.isEmpty()) {
      missing.add("no link with " + String.join(", ", apart));
    }
    if (!silent.isEmpty()) {
      missing.add("no answer from " + String.join(", ", silent));
    }
    return "no majority of the " + config.size() + " members: " + String.join("; ", missing);
  }
}
