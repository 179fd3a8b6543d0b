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
 * Compares what several interfaces reported about the same nodes while these changed.
 *
 * <p>No two observations are simultaneous, so one interface is the reference: it is polled
 * continuously and reports since when a role is held. An observation by another interface is
 * compared with the last reference that ended before it and the first that began after it. If these
 * two and all between agree, nothing changed, and the other interface must have reported the same.
 * They must agree on the epoch too: a standby that follows one leader and then another is a
 * candidate in between, but may report its role since the same time. If they do not agree, the
 * observed epoch must lie between theirs, since epochs only rise. In any case a node that reports
 * LEADER must have been granted exactly that epoch, and no two nodes may report it as {@link
 * DualLeaderDetector} forbids.
 */
public final class StatusConsistencyCheck {
  private final Map<String, List<StatusObservation>> reference;
  private final List<StatusObservation> others;
  private final Set<String> grants;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Set<String>> confirmed = new TreeMap<>();

  private StatusConsistencyCheck(
      List<StatusObservation> reference, List<StatusObservation> others, Set<String> grants) {
    this.reference =
        reference.stream()
            .sorted(Comparator.comparingLong(StatusObservation::sentNanos))
            .collect(Collectors.groupingBy(StatusObservation::node));
    this.others = others;
    this.grants = grants;
  }

  /**
   * Compares the observations.
   *
   * @param reference consecutive observations of each node by the reference interface
   * @param others all other observations
   * @param transcript the grants in the nodes' logs
   */
  public static StatusConsistencyCheck of(
      List<StatusObservation> reference, List<StatusObservation> others, LeadershipLog transcript) {
    Set<String> grants = new TreeSet<>();
    transcript
        .grants()
        .forEach(grant -> grants.add(grant(LeadershipLog.nodeId(grant.node()), grant.epoch())));
    StatusConsistencyCheck agreement = new StatusConsistencyCheck(reference, others, grants);
    agreement.checkGrants(reference);
    return agreement;
  }

  /** Contradictions; empty if the observations are consistent. */
  public List<String> violations() {
    return violations;
  }

  /** What each interface reported while nothing changed, as node, role and epoch. */
  public Map<String, Set<String>> confirmed() {
    return confirmed;
  }

  private static String grant(String node, long epoch) {
    return node + " under " + epoch;
  }

  private void checkGrants(List<StatusObservation> all) {
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
      return; // No reference before or after: the node had just started, or has ended.
    }
    StatusObservation first = around.get(0);
    StatusObservation last = around.get(around.size() - 1);
    if (other.epoch() < first.epoch() || other.epoch() > last.epoch()) {
      violations.add(
          "epoch outside the reference range: " + other + " between " + first + " and " + last);
    }
    boolean unchanged =
        around.stream()
            .allMatch(
                each ->
                    each.role().equals(first.role())
                        && each.epoch() == first.epoch()
                        && each.since().equals(first.since()));
    if (unchanged && !other.role().equals(first.role())) {
      violations.add(
          "role differs from the reference: " + other + " between " + first + " and " + last);
    } else if (unchanged) {
      confirmed
          .computeIfAbsent(other.way(), way -> new TreeSet<>())
          .add(other.node() + " " + other.role() + " " + other.epoch());
    }
  }

  /**
   * From the last reference that ended before to the first that began after; empty if either is
   * missing.
   */
  private List<StatusObservation> around(StatusObservation other) {
    List<StatusObservation> references = reference.getOrDefault(other.node(), List.of());
    int before = -1;
    for (int i = 0; i < references.size(); i++) {
      if (references.get(i).receivedNanos() - other.sentNanos() < 0) {
        before = i;
      } else if (references.get(i).sentNanos() - other.receivedNanos() > 0) {
        return before < 0 ? List.of() : references.subList(before, i + 1);
      }
    }
    return List.of();
  }
}
