package io.portcullis.agent.http;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.config.AgentConfig.EffectiveValue;
import io.portcullis.agent.diagnostics.DiagnosticsReport;
import io.portcullis.agent.diagnostics.DiagnosticsReport.AgentThreadInfo;
import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.ElectionView.LeadershipView;
import io.portcullis.agent.node.FenceView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.engine.ElectionCounts.DurationHistogram;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import io.portcullis.gate.RefusedCallers.RefusedCaller;
import io.portcullis.rules.coverage.RuleCoverage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Renders a {@link NodeView} as JSON. Users rely on the field names. */
public final class StatusJson {
  /** Maximum number of refused callers of all rules, each at least one. */
  private static final int MAX_CALLERS = 400;

  private StatusJson() {}

  /** Body of {@code /healthz}, {@code /readyz} and {@code /leader}. */
  static String probe(NodeView view) {
    return render(fields(view, StatusJson::fields));
  }

  /** Body of {@code /api/status}. */
  static String status(NodeView view) {
    Map<String, Object> fields = fields(view, StatusJson::allFields);
    fields.put("rules", rules(view.rules()));
    fields.put("fences", view.fences().stream().map(StatusJson::fields).toList());
    fields.put("transitions", view.transitions().stream().map(StatusJson::fields).toList());
    fields.put("pendingReload", pendingReload(view));
    return render(fields);
  }

  /** Body of {@code /api/diagnostics}, for troubleshooting. */
  public static String diagnostics(DiagnosticsReport report) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", report.at().toString());
    fields.putAll(fields(report.node(), StatusJson::allFields));
    fields.put("conditions", conditions(report.node()));
    fields.put("rules", rules(report.node().rules()));
    fields.put("fences", report.node().fences().stream().map(StatusJson::fields).toList());
    fields.put("transitions", report.transitions().stream().map(StatusJson::fields).toList());
    fields.put("pendingReload", pendingReload(report.node()));
    fields.put("config", report.config().stream().map(StatusJson::fields).toList());
    fields.put("threads", report.threads().stream().map(StatusJson::fields).toList());
    fields.put("versions", report.versions());
    fields.put("agents", report.agents());
    return render(fields);
  }

  private static @Nullable Map<String, Object> pendingReload(NodeView view) {
    PendingReload pending = view.pendingReload();
    if (pending == null) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("since", pending.since().toString());
    fields.put("files", pending.files());
    fields.put("rules", pending.rules());
    fields.put("why", pending.why());
    return fields;
  }

  /** Fields of each election that {@code /api/status} does not show. */
  private static Map<String, Object> conditions(NodeView view) {
    Map<String, Object> conditions = new LinkedHashMap<>();
    for (ElectionView election : view.elections()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("answered", election.store().answered());
      fields.put("campaigning", election.health().campaigning());
      Throwable failure = election.health().failure();
      fields.put("failure", failure == null ? null : failure.toString());
      conditions.put(election.name(), fields);
    }
    return conditions;
  }

  private static Map<String, Object> fields(EffectiveValue value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", value.key());
    fields.put("value", value.value());
    fields.put("origin", value.place().toString());
    return fields;
  }

  private static Map<String, Object> fields(AgentThreadInfo thread) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", thread.name());
    fields.put("state", thread.state());
    fields.put("frames", thread.frames());
    return fields;
  }

  static String error(String message) {
    return render(Map.of("error", message));
  }

  private static Map<String, Object> fields(
      NodeView view, Function<ElectionView, Map<String, Object>> shown) {
    Map<String, Object> elections = new LinkedHashMap<>();
    view.elections().forEach(election -> elections.put(election.name(), shown.apply(election)));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", view.info().identity());
    fields.put("service", view.info().service());
    fields.put("version", view.info().version());
    fields.put("mode", view.info().mode());
    fields.put("elections", elections);
    return fields;
  }

  private static Map<String, Object> fields(ElectionView election) {
    Map<String, Object> fields = new LinkedHashMap<>();
    LeadershipView leadership = election.leadership();
    fields.put("role", leadership.role().name());
    fields.put("leader", leadership.leader());
    fields.put("leaderAddress", leadership.leaderAddress());
    fields.put("epoch", leadership.epoch());
    fields.put("leaseRemainingMillis", election.lease().remainingMillis());
    fields.put("heartbeatAgeMillis", election.lease().heartbeatAgeMillis());
    fields.put("stale", election.lease().stale());
    fields.put("backend", election.store().backend());
    fields.put("since", leadership.since().toString());
    fields.put("why", leadership.why());
    return fields;
  }

  private static Map<String, Object> allFields(ElectionView election) {
    Map<String, Object> fields = fields(election);
    fields.put("leaseMillis", election.lease().lengthMillis());
    fields.put("degradedReason", election.store().degradedReason());
    ElectionCounts counts = election.activity().counts();
    fields.put("store", fields(counts.renew(), counts.acquire()));
    fields.put("members", election.store().members().stream().map(StatusJson::fields).toList());
    return fields;
  }

  /** Response times of the store: of renewals if this node has led, else of granted claims. */
  private static Map<String, Object> fields(DurationHistogram renew, DurationHistogram acquire) {
    DurationHistogram histogram = renew.last() == null ? acquire : renew;
    Duration last = histogram.last();
    long count = histogram.counts().stream().mapToLong(Long::longValue).sum();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("answers", count);
    fields.put("lastMillis", last == null ? null : millis(last));
    fields.put("meanMillis", count == 0 ? null : millis(histogram.sum()) / count);
    return fields;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private static Map<String, Object> fields(MemberInfo member) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", member.name());
    fields.put("address", member.address());
    fields.put("node", member.identity());
    fields.put("self", member.self());
    return fields;
  }

  private static List<Map<String, Object>> rules(List<RuleCoverage> rules) {
    int callersPerRule = Math.max(1, MAX_CALLERS / Math.max(1, rules.size()));
    return rules.stream().map(rule -> fields(rule, callersPerRule)).toList();
  }

  private static Map<String, Object> fields(RuleCoverage rule, int maxCallers) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", rule.id());
    fields.put("match", rule.match());
    fields.put("action", rule.action());
    fields.put("mode", rule.mode());
    fields.put("state", rule.state().name());
    fields.put("wovenMethods", rule.wovenMethods());
    fields.put("passed", rule.passed());
    fields.put("blocked", rule.blocked());
    fields.put("observed", rule.observed());
    fields.put("slowed", rule.slowed());
    fields.put(
        "refusedCallers",
        rule.refusedCallers().stream().limit(maxCallers).map(StatusJson::fields).toList());
    fields.put("hint", rule.hint());
    return fields;
  }

  private static Map<String, Object> fields(RefusedCaller caller) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("frames", caller.frames());
    fields.put("firstSeen", caller.firstSeen().toString());
    fields.put("samples", caller.samples());
    return fields;
  }

  private static Map<String, Object> fields(FenceView fence) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", fence.id());
    fields.put("election", fence.election());
    fields.put("database", fence.database());
    fields.put("epoch", fence.installed().epoch());
    fields.put("holder", fence.installed().holder());
    fields.put("connections", fence.traffic().connections());
    fields.put("refused", fence.traffic().refused());
    fields.put("problem", fence.problem());
    fields.put("unused", fence.coverage().unused());
    fields.put("unfencedDrivers", fence.coverage().unfencedDrivers());
    return fields;
  }

  private static Map<String, Object> fields(Transition transition) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", transition.at().toString());
    fields.put("election", transition.election());
    fields.put("epoch", transition.epoch());
    fields.put("what", transition.what());
    fields.put("leader", transition.leader());
    fields.put("why", transition.why());
    return fields;
  }

  /** Writes JSON with the configuration library, which saves a JSON dependency. */
  static String render(Map<String, Object> fields) {
    return ConfigValueFactory.fromMap(fields).render(ConfigRenderOptions.concise());
  }
}
