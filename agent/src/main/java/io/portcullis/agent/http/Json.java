package io.portcullis.agent.http;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.agent.config.EffectiveValue;
import io.portcullis.agent.diagnosis.Findings;
import io.portcullis.agent.diagnosis.OwnThread;
import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.Transition;
import io.portcullis.rules.RuleCoverage;
import java.util.LinkedHashMap;
import java.util.Map;

/** A view as JSON, with the field names that users rely on. */
public final class Json {
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

  /** All that is known, for whoever looks for a fault. */
  public static String diagnosis(Findings findings) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", findings.at().toString());
    fields.putAll(fields(findings.node()));
    fields.put("conditions", conditions(findings.node()));
    fields.put("rules", findings.node().rules().stream().map(Json::fields).toList());
    fields.put("transitions", findings.transitions().stream().map(Json::fields).toList());
    fields.put("config", findings.config().stream().map(Json::fields).toList());
    fields.put("threads", findings.threads().stream().map(Json::fields).toList());
    fields.put("versions", findings.versions());
    fields.put("agents", findings.agents());
    return render(fields);
  }

  /** What the status leaves out of each election. */
  private static Map<String, Object> conditions(NodeView view) {
    Map<String, Object> conditions = new LinkedHashMap<>();
    for (ElectionView election : view.elections()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("answered", election.answered());
      fields.put("campaigning", election.campaigning());
      fields.put("handicap", election.handicap());
      Throwable failure = election.failure();
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

  private static Map<String, Object> fields(OwnThread thread) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", thread.name());
    fields.put("state", thread.state());
    fields.put("frames", thread.frames());
    return fields;
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
  static String render(Map<String, Object> fields) {
    return ConfigValueFactory.fromMap(fields).render(ConfigRenderOptions.concise());
  }
}
