package io.portcullis.agent.metrics;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.FenceView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.engine.ElectionCounts.DurationHistogram;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Formats a node's view as Prometheus text. */
public final class PrometheusExporter {
  private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();

  /**
   * Results of an acquire attempt. All are exported from the start, at 0: alerts on an increase
   * need an earlier value.
   */
  private static final List<String> RESULTS = List.of("granted", "held", "unknown");

  private PrometheusExporter() {}

  /** Returns the response body of a scrape. */
  public static String of(NodeView view) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      WRITER.write(out, new MetricSnapshots(snapshots(view)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<MetricSnapshot> snapshots(NodeView view) {
    List<MetricSnapshot> all = new ArrayList<>();
    all.addAll(state(view.elections()));
    all.addAll(history(view.elections()));
    all.addAll(calls(view.rules()));
    all.addAll(fences(view.fences()));
    all.addAll(coverage(view.fences()));
    all.add(pendingReload(view));
    all.add(mode(view));
    return all;
  }

  private static MetricSnapshot pendingReload(NodeView view) {
    Gauge pending =
        new Gauge(
            "portcullis_reload_pending",
            "1 while a configuration change awaits a reload command or was refused, else 0");
    pending.add(view.pendingReload() == null ? 0 : 1);
    return pending.build();
  }

  private static MetricSnapshot mode(NodeView view) {
    Gauge mode = new Gauge("portcullis_mode_info", "1 for the mode of this node");
    mode.add(1, "mode", view.info().mode());
    return mode.build();
  }

  private static List<MetricSnapshot> state(List<ElectionView> elections) {
    Gauge isLeader = new Gauge("portcullis_is_leader", "1 while this node's gate is open, else 0");
    Gauge epoch =
        new Gauge("portcullis_epoch", "epoch of this node if it leads, else the highest seen");
    Gauge state =
        new Gauge("portcullis_state", "1 for the current role of this node, 0 for the others");
    Gauge leader = new Gauge("portcullis_leader_info", "1 for the leader that this node knows");
    Gauge lease =
        new Gauge(
            "portcullis_lease_remaining_seconds", "time until the gate shuts without a renewal");
    Gauge length =
        new Gauge("portcullis_lease_seconds", "length of the lease, as configured on this node");
    Gauge heartbeat =
        new Gauge("portcullis_heartbeat_age_seconds", "time since the leader's last heartbeat");
    Gauge degraded =
        new Gauge(
            "portcullis_store_degraded",
            "1 while this node's part of the store does not work, such as a quorum member that does"
                + " not vote");
    Gauge degradedInfo = new Gauge("portcullis_store_degraded_info", "why the store is degraded");
    Gauge eligible =
        new Gauge(
            "portcullis_eligible", "1 while this node's health checks allow it to lead, else 0");
    Gauge ineligible = new Gauge("portcullis_ineligible_info", "why this node is not eligible");
    for (ElectionView election : elections) {
      String name = election.name();
      LeadershipView leadership = election.leadership();
      Boolean mayLead = election.health().eligible();
      if (mayLead != null) {
        eligible.add(mayLead ? 1 : 0, "election", name);
        if (!mayLead) {
          ineligible.add(1, "election", name, "why", leadership.why());
        }
      }
      isLeader.add(election.isLeader() ? 1 : 0, "election", name);
      Long known = leadership.epoch();
      epoch.add(known == null ? 0 : known.doubleValue(), "election", name);
      for (RoleName role : RoleName.values()) {
        state.add(leadership.role() == role ? 1 : 0, "election", name, "state", role.name());
      }
      if (leadership.leader() != null) {
        leader.add(1, "election", name, "leader", leadership.leader());
      }
      String degradedReason = election.store().degradedReason();
      degraded.add(degradedReason == null ? 0 : 1, "election", name);
      if (degradedReason != null) {
        degradedInfo.add(1, "election", name, "why", degradedReason);
      }
      lease.add(election.lease().remainingMillis() / 1e3, "election", name);
      length.add(election.lease().lengthMillis() / 1e3, "election", name);
      if (election.lease().heartbeatAgeMillis() >= 0) {
        heartbeat.add(election.lease().heartbeatAgeMillis() / 1e3, "election", name);
      }
    }
    return List.of(
        isLeader.build(),
        epoch.build(),
        state.build(),
        leader.build(),
        lease.build(),
        length.build(),
        heartbeat.build(),
        degraded.build(),
        degradedInfo.build(),
        eligible.build(),
        ineligible.build());
  }

  private static List<MetricSnapshot> history(List<ElectionView> elections) {
    Counter seen = new Counter("portcullis_elections", "leader changes seen, this node included");
    Counter acquired =
        new Counter("portcullis_leader_acquired", "number of times this node became leader");
    Counter lost =
        new Counter(
            "portcullis_leadership_lost", "number of times this node lost leadership, by reason");
    Counter attempts =
        new Counter("portcullis_acquire_attempts", "attempts to acquire the lease, by result");
    Counter store =
        new Counter("portcullis_store_events", "events counted by the backend, by kind");
    Counter hooks = new Counter("portcullis_hook_calls", "hook calls, by result");
    Histogram acquire =
        new Histogram("portcullis_acquire_seconds", "duration of successful acquire attempts");
    Histogram renew = new Histogram("portcullis_renew_seconds", "duration of successful renewals");
    Histogram convergence =
        new Histogram("portcullis_convergence_seconds", "time without a known leader");
    for (ElectionView election : elections) {
      String name = election.name();
      ElectionCounts counts = election.activity().counts();
      seen.add(counts.elections(), "election", name);
      acquired.add(counts.acquired(), "election", name);
      for (LossReason reason : LossReason.values()) {
        lost.add(
            counts.lost().getOrDefault(reason, 0L),
            "election",
            name,
            "reason",
            reason.name().toLowerCase(Locale.ROOT));
      }
      for (String result : RESULTS) {
        attempts.add(
            counts.attempts().getOrDefault(result, 0L), "election", name, "result", result);
      }
      counts.store().forEach((event, count) -> store.add(count, "election", name, "event", event));
      for (HookCount calls : election.activity().hooks()) {
        hooks.add(calls.count(), "election", name, "hook", calls.hook(), "result", calls.result());
      }
      acquire.add(counts.acquire(), "election", name);
      renew.add(counts.renew(), "election", name);
      convergence.add(counts.convergence(), "election", name);
    }
    return List.of(
        seen.build(),
        acquired.build(),
        lost.build(),
        attempts.build(),
        store.build(),
        hooks.build(),
        acquire.build(),
        renew.build(),
        convergence.build());
  }

  private static List<MetricSnapshot> calls(List<RuleCoverage> rules) {
    Gauge state =
        new Gauge("portcullis_rule_state", "1 for the current state of the rule, 0 for the others");
    Gauge info = new Gauge("portcullis_rule_info", "1 for the mode of the rule");
    Counter passed = new Counter("portcullis_calls_passed", "gated calls whose body has ended");
    Counter blocked =
        new Counter("portcullis_calls_blocked", "gated calls that found the gate shut");
    Counter observed =
        new Counter(
            "portcullis_calls_observed",
            "gated calls that found the gate shut and ran, because their rule only observes");
    Counter slowed =
        new Counter(
            "portcullis_calls_slowed",
            "refused calls that were delayed, because their thread was refused too often");
    for (RuleCoverage rule : rules) {
      for (RuleState each : RuleState.values()) {
        state.add(
            rule.state() == each ? 1 : 0,
            "election",
            rule.election(),
            "rule",
            rule.id(),
            "state",
            each.name());
      }
      info.add(1, "election", rule.election(), "rule", rule.id(), "mode", rule.mode());
      passed.add(rule.passed(), "election", rule.election(), "rule", rule.id());
      blocked.add(rule.blocked(), "election", rule.election(), "rule", rule.id());
      observed.add(rule.observed(), "election", rule.election(), "rule", rule.id());
      slowed.add(rule.slowed(), "election", rule.election(), "rule", rule.id());
    }
    return List.of(
        state.build(),
        info.build(),
        passed.build(),
        blocked.build(),
        observed.build(),
        slowed.build());
  }

  private static List<MetricSnapshot> fences(List<FenceView> fences) {
    Gauge epoch = new Gauge("portcullis_fence_epoch", "epoch of the fence at the last check");
    Gauge reached =
        new Gauge("portcullis_fence_reached", "1 if the fence responded at the last check, else 0");
    Gauge connections =
        new Gauge("portcullis_fence_connections", "fenced connections of the application");
    Counter refused =
        new Counter("portcullis_fence_refused", "writes of this node that the fence refused");
    for (FenceView fence : fences) {
      String[] labels = {
        "election", fence.election(), "fence", fence.id(), "database", fence.database()
      };
      Long known = fence.installed().epoch();
      epoch.add(known == null ? 0 : known.doubleValue(), labels);
      reached.add(fence.problem() == null ? 1 : 0, labels);
      connections.add(fence.traffic().connections(), labels);
      refused.add(fence.traffic().refused(), labels);
    }
    return List.of(epoch.build(), reached.build(), connections.build(), refused.build());
  }

  private static List<MetricSnapshot> coverage(List<FenceView> fences) {
    Gauge unused =
        new Gauge(
            "portcullis_fence_unused",
            "1 while this node leads and the fence has covered no connection for a minute");
    Gauge driver =
        new Gauge("portcullis_unfenced_driver", "1 for a driver in use that is not fenced");
    // A fence may cover several databases, and each of its views lists the same drivers.
    Set<String> shown = new HashSet<>();
    Set<String> drivers = new TreeSet<>();
    for (FenceView fence : fences) {
      if (shown.add(fence.id())) {
        unused.add(
            fence.coverage().unused() ? 1 : 0, "election", fence.election(), "fence", fence.id());
      }
      drivers.addAll(fence.coverage().unfencedDrivers());
    }
    drivers.forEach(each -> driver.add(1, "driver", each));
    return List.of(unused.build(), driver.build());
  }

  /** Collects the values of one counter. */
  static final class Counter {
    private final CounterSnapshot.Builder snapshot;

    Counter(String name, String help) {
      this.snapshot = CounterSnapshot.builder().name(name).help(help);
    }

    void add(long value, String... labels) {
      snapshot.dataPoint(
          CounterDataPointSnapshot.builder()
              .value((double) value)
              .labels(Labels.of(labels))
              .build());
    }

    CounterSnapshot build() {
      return snapshot.build();
    }
  }

  /** Collects the values of one gauge. */
  static final class Gauge {
    private final GaugeSnapshot.Builder snapshot;

    Gauge(String name, String help) {
      this.snapshot = GaugeSnapshot.builder().name(name).help(help);
    }

    void add(double value, String... labels) {
      snapshot.dataPoint(
          GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
    }

    GaugeSnapshot build() {
      return snapshot.build();
    }
  }

  /** Collects the values of one duration histogram. */
  static final class Histogram {
    private final HistogramSnapshot.Builder snapshot;

    Histogram(String name, String help) {
      this.snapshot = HistogramSnapshot.builder().name(name).help(help);
    }

    void add(DurationHistogram durations, String... labels) {
      snapshot.dataPoint(
          HistogramDataPointSnapshot.builder()
              .classicHistogramBuckets(
                  ClassicHistogramBuckets.of(bounds(), new ArrayList<Number>(durations.counts())))
              .sum(durations.sum().toNanos() / 1e9)
              .labels(Labels.of(labels))
              .build());
    }

    private static List<Double> bounds() {
      List<Double> seconds = new ArrayList<>();
      DurationHistogram.BOUNDS.forEach(bound -> seconds.add(bound.toNanos() / 1e9));
      seconds.add(Double.POSITIVE_INFINITY);
      return seconds;
    }

    HistogramSnapshot build() {
      return snapshot.build();
    }
  }
}
