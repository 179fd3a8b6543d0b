package io.portcullis.agent.node;

import io.portcullis.agent.node.ElectionView.ActivityView;
import io.portcullis.agent.node.ElectionView.HealthView;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.ElectionView.LeaseView;
import io.portcullis.agent.node.ElectionView.StoreView;
import io.portcullis.agent.node.FenceView.FenceCoverage;
import io.portcullis.agent.node.FenceView.FenceTraffic;
import io.portcullis.agent.node.FenceView.InstalledEpoch;
import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.engine.ElectionCounts.DurationHistogram;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Views of nodes, for tests of what displays them. */
public final class NodeViewFixtures {
  public static final Instant SINCE = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final long LEASE_MILLIS = 30_000;

  private NodeViewFixtures() {}

  /** Leads under epoch 7, with some history. */
  public static ElectionView leading(String name) {
    return election(name, RoleName.LEADER, false, true, true, null);
  }

  /** Another node leads under epoch 7. */
  public static ElectionView standby(String name) {
    return election(name, RoleName.STANDBY, false, true, true, null);
  }

  /** Another node led under epoch 7; its last heartbeat is stale. */
  public static ElectionView deserted(String name) {
    return election(name, RoleName.STANDBY, true, true, true, null);
  }

  public static ElectionView unanswered(String name) {
    return election(name, RoleName.CANDIDATE, false, false, true, null);
  }

  public static ElectionView notCampaigning(String name) {
    return election(name, RoleName.INELIGIBLE, false, true, false, null);
  }

  public static ElectionView broken(String name) {
    return election(name, RoleName.OFF, false, true, true, new IllegalStateException("a bug"));
  }

  private static final List<MemberInfo> MEMBERS =
      List.of(
          new MemberInfo("a", "10.0.0.7:7400", "a-4711-9f31", true),
          new MemberInfo("b", "10.0.0.8:7400", "b-990-11aa", false),
          new MemberInfo("c", "10.0.0.9:7400", null, false));

  /** Without any data: no leader, epoch, heartbeat or counts. */
  public static ElectionView blank(String name) {
    return new ElectionView(
        name,
        LeadershipView.withoutLeader(RoleName.CANDIDATE, SINCE, "started"),
        LeaseView.withoutHeartbeat(LEASE_MILLIS),
        new StoreView("redis", false, null, List.of()),
        HealthView.unchecked(null),
        ActivityView.NONE,
        false);
  }

  /** Follows; its part of the store is degraded. */
  public static ElectionView degraded(String name, String why) {
    return new ElectionView(
        name,
        new LeadershipView(RoleName.STANDBY, "b-990-11aa", null, 7L, SINCE, why + "; started"),
        lease(0, false),
        new StoreView("quorum", true, why, MEMBERS),
        HealthView.unchecked(null),
        new ActivityView(counts(), List.of()),
        false);
  }

  /** Not eligible because of its health; a hook has failed. */
  public static ElectionView ineligible(String name, String why) {
    return new ElectionView(
        name,
        new LeadershipView(RoleName.INELIGIBLE, "b-990-11aa", null, 7L, SINCE, why),
        lease(0, false),
        new StoreView("redis", true, null, MEMBERS),
        new HealthView(false, true, null),
        new ActivityView(counts(), List.of(new HookCount("stopped", "failed", 3))),
        false);
  }

  private static ElectionView election(
      String name,
      RoleName role,
      boolean stale,
      boolean answered,
      boolean campaigning,
      @Nullable Throwable failure) {
    return new ElectionView(
        name,
        new LeadershipView(role, "b-990-11aa", "http://10.0.0.8:8080", 7L, SINCE, "lease acquired"),
        lease(role == RoleName.LEADER ? 29_500 : 0, stale),
        new StoreView("redis", answered, null, MEMBERS),
        new HealthView(null, campaigning, failure),
        new ActivityView(counts(), List.of()),
        false);
  }

  private static LeaseView lease(long remainingMillis, boolean stale) {
    return new LeaseView(LEASE_MILLIS, remainingMillis, 250, stale);
  }

  private static ElectionCounts counts() {
    List<Long> times =
        new ArrayList<>(Collections.nCopies(DurationHistogram.BOUNDS.size() + 1, 0L));
    times.set(0, 3L);
    times.set(DurationHistogram.BOUNDS.size(), 1L);
    DurationHistogram spread =
        new DurationHistogram(List.copyOf(times), Duration.ofSeconds(90), Duration.ofMillis(1));
    return new ElectionCounts(
        5,
        2,
        Map.of(LossReason.RENEWAL_FAILED, 1L),
        Map.of("granted", 2L, "held", 3L),
        spread,
        spread,
        spread,
        1L,
        Map.of("messages_sent", 9L));
  }

  private static final RefusedCaller CALLER =
      new RefusedCaller(List.of("com.acme.OrderStore#save:12", "com.acme.Api#post:34"), SINCE, 2);

  public static RuleCoverage rule(String id, RuleState state) {
    return rule(id, state, false);
  }

  /** A rule with 11 passed, 4 blocked and 3 observed calls. */
  public static RuleCoverage rule(String id, RuleState state, boolean observe) {
    return new RuleCoverage(
        id,
        "com.acme.OrderStore#save(..)",
        "writer",
        "throw",
        observe,
        state,
        2,
        "",
        11,
        4,
        3,
        5,
        List.of(CALLER));
  }

  public static Transition transition() {
    return new Transition(SINCE, "writer", 7, false, "new leader", "b-990-11aa", null);
  }

  /** Records a transition of election "writer" under epoch 7. */
  public static void happen(
      TransitionHistory transitions,
      String what,
      boolean leading,
      @Nullable String leader,
      @Nullable String why) {
    transitions.add(new Transition(SINCE, "writer", 7, leading, what, leader, why));
  }

  public static NodeView node(List<ElectionView> elections, List<RuleCoverage> rules) {
    return node(elections, rules, List.of(fence()));
  }

  public static NodeView node(
      List<ElectionView> elections, List<RuleCoverage> rules, List<FenceView> fences) {
    return new NodeView(
        new NodeInfo("a-4711-9f31", "orders", "1.2.3", "enforce"),
        elections,
        rules,
        fences,
        List.of(transition()),
        null);
  }

  /** The same node after a rule was removed from its file. */
  public static NodeView withPendingReload(NodeView view) {
    return new NodeView(
        view.info(),
        view.elections(),
        view.rules(),
        view.fences(),
        view.transitions(),
        new PendingReload(
            SINCE, List.of("/etc/rules.conf"), List.of("orders"), "orders is missing"));
  }

  /** A fence that this node has installed and that refused one write. */
  public static FenceView fence() {
    return fence(null);
  }

  public static FenceView fence(@Nullable String problem) {
    return new FenceView(
        "main",
        "writer",
        "jdbc:postgresql://db:5432/app",
        new InstalledEpoch(7L, "a-4711-9f31"),
        new FenceTraffic(2, 1),
        problem,
        new FenceCoverage(true, List.of("r2dbc-postgresql")));
  }

  public static NodeView node(ElectionView... elections) {
    return node(List.of(elections), List.of(rule("orders", RuleState.ARMED)));
  }
}
