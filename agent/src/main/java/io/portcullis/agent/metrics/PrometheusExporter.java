package io.portcullis.agent.metrics;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.ElectionView.HookCount;
import io.portcullis.agent.node.FenceView;
import io.portcullis.agent.node.NodeView;
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

/** A view in Prometheus' text format. */
public final class PrometheusExporter {
  private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();

  /** How a claim can be answered. Each is shown from the start: alerts need something to rise. */
  private static final List<String> RESULTS = List.of("granted", "held", "unknown");

  private PrometheusExporter() {}

  /** The text a scraper gets. */
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
    all.addAll(standing(view.elections()));
    all.addAll(history(view.elections()));
    all.addAll(calls(view.rules()));
    all.addAll(fences(view.fences()));
    all.addAll(coverage(view.fences()));
    all.add(pendingReload(view));
    return all;
  }

  private static MetricSnapshot pendingReload(NodeView view) {
    Gauge pending =
        new Gauge(
            "portcullis_reload_pending",
            "1 while a change of the configuration's files waits for an order or was refused");
    pending.add(view.pendingReload() == null ? 0 : 1);
    return pending.build();
  }

  private static List<MetricSnapshot> standing(List<ElectionView> elections) {
    Gauge isLeader = new Gauge("portcullis_is_leader", "1 while this node's gate is open, else 0");
    Gauge epoch =
        new Gauge("portcullis_epoch", "the own epoch on the leader, else the highest seen");
    Gauge state = new Gauge("portcullis_state", "1 for the role this node has, 0 for all others");
    Gauge leader = new Gauge("portcullis_leader_info", "who leads, as far as this node knows");
    Gauge lease =
        new Gauge("portcullis_lease_remaining_seconds", "how long the gate stays open unrenewed");
    Gauge length =
        new Gauge("portcullis_lease_seconds", "how long a lease lasts, as configured here");
    Gauge heartbeat =
        new Gauge("portcullis_heartbeat_age_seconds", "since the leader's last sign of life");
    Gauge degraded =
        new Gauge(
            "portcullis_store_degraded",
            "1 while this node's part of the store does not do its share: a quorum's member that"
                + " does not vote");
    Gauge degradedInfo = new Gauge("portcullis_store_degraded_info", "what keeps it from that");
    Gauge eligible =
        new Gauge("portcullis_eligible", "1 while this node's health lets it lead, else 0");
    Gauge ineligible = new Gauge("portcullis_ineligible_info", "what keeps it from leading");
    for (ElectionView election : elections) {
      String name = election.name();
      Boolean well = election.eligible();
      if (well != null) {
        eligible.add(well ? 1 : 0, "election", name);
        if (!well) {
          ineligible.add(1, "election", name, "why", election.why());
        }
      }
      isLeader.add(election.isLeader() ? 1 : 0, "election", name);
      Long known = election.epoch();
      epoch.add(known == null ? 0 : known.doubleValue(), "election", name);
      for (RoleName role : RoleName.values()) {
        state.add(election.role() == role ? 1 : 0, "election", name, "state", role.name());
      }
      if (election.leader() != null) {
        leader.add(1, "election", name, "leader", election.leader());
      }
      String degradedReason = election.degradedReason();
      degraded.add(degradedReason == null ? 0 : 1, "election", name);
      if (degradedReason != null) {
        degradedInfo.add(1, "election", name, "why", degradedReason);
      }
      lease.add(election.leaseRemainingMillis() / 1e3, "election", name);
      length.add(election.leaseMillis() / 1e3, "election", name);
      if (election.heartbeatAgeMillis() >= 0) {
        heartbeat.add(election.heartbeatAgeMillis() / 1e3, "election", name);
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
    Counter seen = new Counter("portcullis_elections", "new leaders seen, this node included");
    Counter acquired =
        new Counter("portcullis_leader_acquired", "how often this node began to lead");
    Counter lost = new Counter("portcullis_leadership_lost", "how often it stopped, by reason");
    Counter attempts = new Counter("portcullis_acquire_attempts", "claims of the lease, by answer");
    Counter store = new Counter("portcullis_store_events", "what the backend counted, by kind");
    Counter hooks = new Counter("portcullis_hook_calls", "calls of hooks, by what became of them");
    Histogram acquire = new Histogram("portcullis_acquire_seconds", "how long granted claims took");
    Histogram renew = new Histogram("portcullis_renew_seconds", "how long good renewals took");
    Histogram convergence =
        new Histogram("portcullis_convergence_seconds", "how long nobody was known to lead");
    for (ElectionView election : elections) {
      String name = election.name();
      seen.add(election.counts().elections(), "election", name);
      acquired.add(election.counts().acquired(), "election", name);
      for (LossReason reason : LossReason.values()) {
        lost.add(
            election.counts().lost().getOrDefault(reason, 0L),
            "election",
            name,
            "reason",
            reason.name().toLowerCase(Locale.ROOT));
      }
      for (String result : RESULTS) {
        attempts.add(
            election.counts().attempts().getOrDefault(result, 0L),
            "election",
            name,
            "result",
            result);
      }
      election
          .counts()
          .store()
          .forEach((event, count) -> store.add(count, "election", name, "event", event));
      for (HookCount calls : election.hooks()) {
        hooks.add(calls.count(), "election", name, "hook", calls.hook(), "result", calls.result());
      }
      acquire.add(election.counts().acquire(), "election", name);
      renew.add(election.counts().renew(), "election", name);
      convergence.add(election.counts().convergence(), "election", name);
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
        new Gauge("portcullis_rule_state", "1 for the state the rule is in, 0 for others");
    Counter passed = new Counter("portcullis_calls_passed", "gated calls whose body has run");
    Counter blocked =
        new Counter("portcullis_calls_blocked", "gated calls that found the gate shut");
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
      passed.add(rule.passed(), "election", rule.election(), "rule", rule.id());
      blocked.add(rule.blocked(), "election", rule.election(), "rule", rule.id());
    }
    return List.of(state.build(), passed.build(), blocked.build());
  }

  private static List<MetricSnapshot> fences(List<FenceView> fences) {
    Gauge epoch = new Gauge("portcullis_fence_epoch", "what the fence stood at when last looked");
    Gauge reached =
        new Gauge("portcullis_fence_reached", "1 if the fence answered when last looked, else 0");
    Gauge connections =
        new Gauge("portcullis_fence_connections", "connections of the application that are fenced");
    Counter refused =
        new Counter("portcullis_fence_refused", "writes of this node that the fence refused");
    for (FenceView fence : fences) {
      String[] labels = {
        "election", fence.election(), "fence", fence.id(), "database", fence.database()
      };
      Long known = fence.epoch();
      epoch.add(known == null ? 0 : known.doubleValue(), labels);
      reached.add(fence.trouble() == null ? 1 : 0, labels);
      connections.add(fence.connections(), labels);
      refused.add(fence.refused(), labels);
    }
    return List.of(epoch.build(), reached.build(), connections.build(), refused.build());
  }

  private static List<MetricSnapshot> coverage(List<FenceView> fences) {
    Gauge unused =
        new Gauge(
            "portcullis_fence_unused",
            "1 while this node leads and the fence has covered no connection for a minute");
    Gauge driver =
        new Gauge("portcullis_unfenced_driver", "1 for a driver in use that no fence follows");
    // A fence may stand at several databases, and every one of them shows the same drivers.
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

  /** Collects the values of one metric that may only rise. */
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

  /** Collects the values of one metric that may rise and fall. */
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

  /** Collects how long something took. */
  static final class Histogram {
    private final HistogramSnapshot.Builder snapshot;

    Histogram(String name, String help) {
      this.snapshot = HistogramSnapshot.builder().name(name).help(help);
    }

    void add(DurationHistogram spread, String... labels) {
      snapshot.dataPoint(
          HistogramDataPointSnapshot.builder()
              .classicHistogramBuckets(
                  ClassicHistogramBuckets.of(bounds(), new ArrayList<Number>(spread.counts())))
              .sum(spread.sum().toNanos() / 1e9)
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
