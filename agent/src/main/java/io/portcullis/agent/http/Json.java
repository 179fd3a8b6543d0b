package io.portcullis.agent.http;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.Transition;
import io.portcullis.rules.coverage.RuleCoverage;
import java.util.LinkedHashMap;
import java.util.Map;

/** A view as JSON, with the field names that users rely on. */
final class Json {
  private Json() {}

  /** What the probes answer. */
  static String probe(NodeView view) {
    return render(fields(view));
  }

  /** All of it. */
  static String status(NodeView view) {
    Map<String, Object> fields = fields(view);
    fields.put("rules", view.rules().stream().map(Json::fields).toList());
    fields.put("transitions", view.transitions().stream().map(Json::fields).toList());
    return render(fields);
  }

  static String error(String message) {
    return render(Map.of("error", message));
  }

  private static Map<String, Object> fields(NodeView view) {
    Map<String, Object> elections = new LinkedHashMap<>();
    view.elections().forEach(election -> elections.put(election.name(), fields(election)));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", view.node());
    fields.put("service", view.service());
    fields.put("version", view.version());
    fields.put("mode", view.mode());
    fields.put("elections", elections);
    return fields;
  }

  private static Map<String, Object> fields(ElectionView election) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("role", election.role().name());
    fields.put("leader", election.leader());
    fields.put("leaderAddress", election.leaderAddress());
    fields.put("epoch", election.epoch());
    fields.put("leaseRemainingMillis", election.leaseRemainingMillis());
    fields.put("heartbeatAgeMillis", election.heartbeatAgeMillis());
    fields.put("stale", election.stale());
    fields.put("backend", election.backend());
    fields.put("since", election.since().toString());
    fields.put("why", election.why());
    return fields;
  }

  private static Map<String, Object> fields(RuleCoverage rule) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", rule.id());
    fields.put("match", rule.match());
    fields.put("action", rule.action());
    fields.put("state", rule.state().name());
    fields.put("wovenMethods", rule.wovenMethods());
    fields.put("passed", rule.passed());
    fields.put("blocked", rule.blocked());
    fields.put("hint", rule.hint());
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

  /** The configuration's own library writes JSON: one less to carry. */
  private static String render(Map<String, Object> fields) {
    return ConfigValueFactory.fromMap(fields).render(ConfigRenderOptions.concise());
  }
}
