package io.portcullis.it.support;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what several ways of looking at the same nodes showed while these changed.
 *
 * <p>No two looks are at one moment, so one way is the measure: it looks without pause and tells
 * since when a role is held. A look by another way is judged by the last of its looks that was over
 * before and the first that began after. If these two and all between agree, also on the epoch,
 * nothing changed, and the other way must have shown the same: a standby that follows one leader
 * and then another is a candidate in between, and has its role all the same since. If they do not,
 * an epoch must lie between theirs, since epochs only rise. Whatever happened between, who says
 * LEADER must have been granted just that epoch, and no two may say it as {@link
 * DualLeaderDetector} forbids.
 */
public final class StatusConsistencyCheck {
  private final Map<String, List<StatusObservation>> measure;
  private final List<StatusObservation> others;
  private final Set<String> grants;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Set<String>> confirmed = new TreeMap<>();

  private StatusConsistencyCheck(
      List<StatusObservation> measure, List<StatusObservation> others, Set<String> grants) {
    this.measure =
        measure.stream()
            .sorted(Comparator.comparingLong(StatusObservation::sentNanos))
            .collect(Collectors.groupingBy(StatusObservation::node));
    this.others = others;
    this.grants = grants;
  }

  /**
   * Judges.
   *
   * @param measure looks that came one after the other at each node
   * @param others all others
   * @param transcript what the nodes' logs tell of grants
   */
  public static StatusConsistencyCheck of(
      List<StatusObservation> measure, List<StatusObservation> others, LeadershipLog transcript) {
    Set<String> grants = new TreeSet<>();
    transcript
        .grants()
        .forEach(grant -> grants.add(grant(LeadershipLog.nodeId(grant.node()), grant.epoch())));
    StatusConsistencyCheck agreement = new StatusConsistencyCheck(measure, others, grants);
    agreement.judge(measure);
    return agreement;
  }

  /** Whatever can't be true. */
  public List<String> violations() {
    return violations;
  }

  /** What each way showed while it must have been so, as node, role and epoch. */
  public Map<String, Set<String>> confirmed() {
    return confirmed;
  }

  private static String grant(String node, long epoch) {
    return node + " under " + epoch;
  }

  private void judge(List<StatusObservation> all) {
    List<DualLeaderDetector.Sample> claims = new ArrayList<>();
    List<StatusObservation> everything = new ArrayList<>(all);
    everything.addAll(others);
    for (StatusObservation each : everything) {
      if (each.claims() && !grants.contains(grant(each.node(), each.epoch()))) {
        violations.add("never granted: " + each);
      }
      claims.add(
          new DualLeaderDetector.Sample(
              each.node(), 0, each.role(), each.epoch(), each.sentNanos(), each.receivedNanos()));
    }
    violations.addAll(DualLeaderDetector.violations(claims));
    others.forEach(this::compare);
  }

  private void compare(StatusObservation other) {
    List<StatusObservation> around = around(other);
    if (around.isEmpty()) {
      return; // Nobody looked before, or after: it had just started, or is gone.
    }
    StatusObservation first = around.get(0);
    StatusObservation last = around.get(around.size() - 1);
    if (other.epoch() < first.epoch() || other.epoch() > last.epoch()) {
      violations.add("an epoch of another time: " + other + " between " + first + " and " + last);
    }
    boolean unchanged =
        around.stream()
            .allMatch(
                each ->
                    each.role().equals(first.role())
                        && each.epoch() == first.epoch()
                        && each.since().equals(first.since()));
    if (unchanged && !other.role().equals(first.role())) {
      violations.add("another role: " + other + " between " + first + " and " + last);
    } else if (unchanged) {
      confirmed
          .computeIfAbsent(other.way(), way -> new TreeSet<>())
          .add(other.node() + " " + other.role() + " " + other.epoch());
    }
  }

  /** From the last look that was over before to the first that began after; empty without one. */
  private List<StatusObservation> around(StatusObservation other) {
    List<StatusObservation> looks = measure.getOrDefault(other.node(), List.of());
    int before = -1;
    for (int i = 0; i < looks.size(); i++) {
      if (looks.get(i).receivedNanos() - other.sentNanos() < 0) {
        before = i;
      } else if (looks.get(i).sentNanos() - other.receivedNanos() > 0) {
        return before < 0 ? List.of() : looks.subList(before, i + 1);
      }
    }
    return List.of();
  }
}
