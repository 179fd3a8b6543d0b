package io.portcullis.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.node.FenceView;
import io.portcullis.agent.node.FenceView.FenceCoverage;
import io.portcullis.agent.node.FenceView.FenceTraffic;
import io.portcullis.agent.node.FenceView.InstalledEpoch;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeViewFixtures;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Parses the exported text line by line, like a scraper. */
class PrometheusExporterTest {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-z_]+)(?:\\{(.*)})? ([0-9.E+-]+|\\+Inf|NaN)");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP [a-z_]+ .+|TYPE [a-z_]+ (gauge|counter|histogram))");

  private static final String NO_VOTE = "this member does not vote: The disk \"d\" is full";

  private record Sample(String name, Map<String, String> labels, double value) {
    static Sample of(String line) {
      Matcher matcher = SAMPLE.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      Map<String, String> labels = new LinkedHashMap<>();
      String written = matcher.group(2) == null ? "" : matcher.group(2);
      Matcher label = LABEL.matcher(written);
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      return new Sample(matcher.group(1), labels, Double.parseDouble(matcher.group(3)));
    }
  }

  private static List<Sample> samples(String text) {
    return text.lines().filter(line -> !line.startsWith("#")).map(Sample::of).toList();
  }

  private static String full() {
    return PrometheusExporter.of(
        NodeViewFixtures.node(
            List.of(
                NodeViewFixtures.leading("writer"),
                NodeViewFixtures.standby("reader"),
                NodeViewFixtures.degraded("third", NO_VOTE)),
            List.of(NodeViewFixtures.rule("orders", RuleState.ARMED))));
  }

  @Test
  void healthAndHookMetricsAppearOnlyIfConfigured() {
    List<Sample> samples =
        samples(
            PrometheusExporter.of(
                NodeViewFixtures.node(
                    NodeViewFixtures.leading("writer"),
                    NodeViewFixtures.ineligible("reader", "not eligible: tcp y: refused"))));

    assertThat(value(samples, "portcullis_eligible", "election", "reader")).isZero();
    assertThat(samples)
        .filteredOn(sample -> sample.name().equals("portcullis_eligible"))
        .hasSize(1);
    assertThat(
            value(
                samples,
                "portcullis_ineligible_info",
                "election",
                "reader",
                "why",
                "not eligible: tcp y: refused"))
        .isEqualTo(1);
    assertThat(
            value(
                samples,
                "portcullis_hook_calls_total",
                "election",
                "reader",
                "hook",
                "stopped",
                "result",
                "failed"))
        .isEqualTo(3);
  }

  private static double value(List<Sample> samples, String name, String... labels) {
    Map<String, String> wanted = new TreeMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      wanted.put(labels[i], labels[i + 1]);
    }
    return samples.stream()
        .filter(each -> each.name().equals(name) && each.labels().equals(wanted))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + wanted + " is not in " + samples))
        .value();
  }

  @Test
  void pendingReloadIsAMetricUntilItIsResolved() {
    NodeView view = NodeViewFixtures.node(NodeViewFixtures.leading("writer"));

    assertThat(value(samples(PrometheusExporter.of(view)), "portcullis_reload_pending")).isZero();
    assertThat(
            value(
                samples(PrometheusExporter.of(NodeViewFixtures.withPendingReload(view))),
                "portcullis_reload_pending"))
        .isEqualTo(1);
  }

  @Test
  void observedRuleIsDistinguishedFromAnEnforcedOne() {
    List<Sample> samples =
        samples(
            PrometheusExporter.of(
                NodeViewFixtures.node(
                    List.of(NodeViewFixtures.leading("writer")),
                    List.of(
                        NodeViewFixtures.rule("orders", RuleState.ARMED),
                        NodeViewFixtures.rule("cron", RuleState.ARMED, true)))));

    assertThat(value(samples, "portcullis_mode_info", "mode", "enforce")).isEqualTo(1);
    assertThat(
            List.of(
                value(
                    samples,
                    "portcullis_rule_info",
                    "election",
                    "writer",
                    "rule",
                    "orders",
                    "mode",
                    "enforce"),
                value(
                    samples,
                    "portcullis_rule_info",
                    "election",
                    "writer",
                    "rule",
                    "cron",
                    "mode",
                    "observe")))
        .containsOnly(1.0);
    assertThat(
            value(samples, "portcullis_calls_observed_total", "election", "writer", "rule", "cron"))
        .isEqualTo(3);
    assertThat(
            value(samples, "portcullis_calls_blocked_total", "election", "writer", "rule", "cron"))
        .isEqualTo(4);
  }

  @Test
  void exactlyTheDocumentedMetricsAndLabelsAreExported() {
    Map<String, Set<String>> found = new TreeMap<>();
    for (Sample sample : samples(full())) {
      found
          .computeIfAbsent(sample.name(), name -> new TreeSet<>())
          .addAll(sample.labels().keySet());
    }

    Map<String, Set<String>> wanted = new TreeMap<>();
    Set<String> election = Set.of("election");
    wanted.put("portcullis_is_leader", election);
    wanted.put("portcullis_epoch", election);
    wanted.put("portcullis_state", Set.of("election", "state"));
    wanted.put("portcullis_leader_info", Set.of("election", "leader"));
    wanted.put("portcullis_lease_remaining_seconds", election);
    wanted.put("portcullis_lease_seconds", election);
    wanted.put("portcullis_heartbeat_age_seconds", election);
    wanted.put("portcullis_reload_pending", Set.of());
    wanted.put("portcullis_store_degraded", election);
    wanted.put("portcullis_store_degraded_info", Set.of("election", "why"));
    wanted.put("portcullis_mode_info", Set.of("mode"));
    wanted.put("portcullis_rule_state", Set.of("election", "rule", "state"));
    wanted.put("portcullis_rule_info", Set.of("election", "rule", "mode"));
    wanted.put("portcullis_elections_total", election);
    wanted.put("portcullis_leader_acquired_total", election);
    wanted.put("portcullis_leadership_lost_total", Set.of("election", "reason"));
    wanted.put("portcullis_acquire_attempts_total", Set.of("election", "result"));
    wanted.put("portcullis_store_events_total", Set.of("election", "event"));
    wanted.put("portcullis_calls_passed_total", Set.of("election", "rule"));
    wanted.put("portcullis_calls_blocked_total", Set.of("election", "rule"));
    wanted.put("portcullis_calls_observed_total", Set.of("election", "rule"));
    wanted.put("portcullis_calls_slowed_total", Set.of("election", "rule"));
    for (String figure : List.of("epoch", "reached", "connections", "refused_total")) {
      wanted.put("portcullis_fence_" + figure, Set.of("election", "fence", "database"));
    }
    wanted.put("portcullis_fence_unused", Set.of("election", "fence"));
    wanted.put("portcullis_unfenced_driver", Set.of("driver"));
    for (String histogram : List.of("acquire", "renew", "convergence")) {
      wanted.put("portcullis_" + histogram + "_seconds_bucket", Set.of("election", "le"));
      wanted.put("portcullis_" + histogram + "_seconds_sum", election);
      wanted.put("portcullis_" + histogram + "_seconds_count", election);
    }
    assertThat(found).isEqualTo(wanted);
  }

  @Test
  void everyMetricHasATypeAndCountersEndInTotal() {
    List<String> comments = full().lines().filter(line -> line.startsWith("#")).toList();

    assertThat(comments).allMatch(line -> COMMENT.matcher(line).matches());
    assertThat(comments)
        .filteredOn(line -> line.endsWith(" counter"))
        .hasSize(10)
        .allMatch(line -> line.endsWith("_total counter"));
    assertThat(comments).filteredOn(line -> line.endsWith(" histogram")).hasSize(3);
    assertThat(comments).filteredOn(line -> line.endsWith(" gauge")).hasSize(18);
  }

  @Test
  void metricValuesMatchTheView() {
    List<Sample> samples = samples(full());

    assertThat(value(samples, "portcullis_is_leader", "election", "writer")).isEqualTo(1);
    assertThat(value(samples, "portcullis_is_leader", "election", "reader")).isEqualTo(0);
    assertThat(value(samples, "portcullis_epoch", "election", "reader")).isEqualTo(7);
    assertThat(value(samples, "portcullis_state", "election", "writer", "state", "LEADER"))
        .isEqualTo(1);
    assertThat(value(samples, "portcullis_state", "election", "writer", "state", "STANDBY"))
        .isEqualTo(0);
    assertThat(value(samples, "portcullis_lease_remaining_seconds", "election", "writer"))
        .isEqualTo(29.5);
    assertThat(value(samples, "portcullis_heartbeat_age_seconds", "election", "writer"))
        .isEqualTo(0.25);
    assertThat(
            value(
                samples,
                "portcullis_leadership_lost_total",
                "election",
                "writer",
                "reason",
                "renewal_failed"))
        .isEqualTo(1);
    assertThat(
            value(
                samples, "portcullis_calls_blocked_total", "election", "writer", "rule", "orders"))
        .isEqualTo(4);
    assertThat(
            value(samples, "portcullis_calls_slowed_total", "election", "writer", "rule", "orders"))
        .isEqualTo(5);
  }

  @Test
  void fenceMetricsMatchTheView() {
    List<Sample> samples = samples(full());
    String[] labels = {
      "election", "writer", "fence", "main", "database", "jdbc:postgresql://db:5432/app"
    };

    assertThat(value(samples, "portcullis_fence_epoch", labels)).isEqualTo(7);
    assertThat(value(samples, "portcullis_fence_reached", labels)).isEqualTo(1);
    assertThat(value(samples, "portcullis_fence_connections", labels)).isEqualTo(2);
    assertThat(value(samples, "portcullis_fence_refused_total", labels)).isEqualTo(1);
  }

  @Test
  void fenceIsFlaggedOnceWhenUnusedAndDriversOncePerName() {
    FenceView home = NodeViewFixtures.fence();
    FenceView other =
        new FenceView(
            "main",
            "writer",
            "jdbc:postgresql://db2:5432/app",
            new InstalledEpoch(7L, "a"),
            new FenceTraffic(0, 0),
            null,
            home.coverage());
    FenceView used =
        new FenceView(
            "second",
            "writer",
            "jdbc:postgresql://db3:5432/app",
            new InstalledEpoch(7L, "a"),
            new FenceTraffic(2, 0),
            null,
            FenceCoverage.NO_GAP);
    NodeView view =
        NodeViewFixtures.node(
            List.of(NodeViewFixtures.leading("writer")), List.of(), List.of(home, other, used));

    List<Sample> samples = samples(PrometheusExporter.of(view));

    assertThat(value(samples, "portcullis_fence_unused", "election", "writer", "fence", "main"))
        .isEqualTo(1);
    assertThat(value(samples, "portcullis_fence_unused", "election", "writer", "fence", "second"))
        .isZero();
    assertThat(value(samples, "portcullis_unfenced_driver", "driver", "r2dbc-postgresql"))
        .isEqualTo(1);
  }

  @Test
  void unresponsiveFenceIsFlagged() {
    FenceView silent = NodeViewFixtures.fence("no route");
    NodeView view =
        NodeViewFixtures.node(
            List.of(NodeViewFixtures.leading("writer")), List.of(), List.of(silent));

    assertThat(samples(PrometheusExporter.of(view)))
        .filteredOn(each -> each.name().equals("portcullis_fence_reached"))
        .singleElement()
        .satisfies(each -> assertThat(each.value()).isZero());
  }

  @Test
  void nonVotingMemberIsFlaggedWithReason() {
    List<Sample> samples = samples(full());

    assertThat(value(samples, "portcullis_store_degraded", "election", "third")).isEqualTo(1);
    assertThat(value(samples, "portcullis_store_degraded", "election", "writer")).isZero();
    assertThat(samples)
        .filteredOn(each -> each.name().equals("portcullis_store_degraded_info"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.labels())
                    .containsEntry("election", "third")
                    .containsEntry("why", NO_VOTE.replace("\"", "\\\"")));
  }

  @Test
  void histogramBucketsAreCumulative() {
    List<Sample> samples = samples(full());
    String bucket = "portcullis_renew_seconds_bucket";

    assertThat(value(samples, bucket, "election", "writer", "le", "0.001")).isEqualTo(3);
    assertThat(value(samples, bucket, "election", "writer", "le", "60.0")).isEqualTo(3);
    assertThat(value(samples, bucket, "election", "writer", "le", "+Inf")).isEqualTo(4);
    assertThat(value(samples, "portcullis_renew_seconds_count", "election", "writer")).isEqualTo(4);
    assertThat(value(samples, "portcullis_renew_seconds_sum", "election", "writer")).isEqualTo(90);
  }

  @Test
  void nodeWithoutAnyDataCanBeScraped() {
    List<Sample> samples =
        samples(PrometheusExporter.of(NodeViewFixtures.node(NodeViewFixtures.blank("writer"))));

    assertThat(value(samples, "portcullis_is_leader", "election", "writer")).isEqualTo(0);
    assertThat(value(samples, "portcullis_epoch", "election", "writer")).isEqualTo(0);
    assertThat(samples)
        .noneMatch(each -> each.name().equals("portcullis_leader_info"))
        .noneMatch(each -> each.name().equals("portcullis_heartbeat_age_seconds"));
  }
}
