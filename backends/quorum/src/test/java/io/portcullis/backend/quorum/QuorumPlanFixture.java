package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.ReferenceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads valid settings, with some changes, by the backend. */
final class QuorumPlanFixture {
  static final String SECRET = "hush-hush-hush-hush";

  private QuorumPlanFixture() {}

  /** Valid settings of node b with these changes; an empty value removes the key. */
  private static ReferenceSettings settings(Map<String, String> changes) {
    Map<String, String> all = new HashMap<>();
    all.put("quorum.members.a", "10.0.0.7:7400");
    all.put("quorum.members.b", "10.0.0.8:7400");
    all.put("quorum.members.c", "10.0.0.9:7400");
    all.put("quorum.self", "b");
    all.put("quorum.secret", SECRET);
    all.put("quorum.data-dir", "/var/lib/portcullis");
    all.putAll(changes);
    all.values().removeIf(String::isEmpty);
    return ReferenceSettings.of(QuorumBackend.class, all);
  }

  /** The plan of the changed settings, which must be valid. */
  static QuorumStorePlan plan(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    Object plan = new QuorumBackend().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return (QuorumStorePlan) Objects.requireNonNull(plan);
  }

  /** All problems of the changed settings; none may contain the secret. */
  static List<String> problems(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new QuorumBackend().plan("orders", "writer", settings)).isNull();
    assertThat(settings.refusals()).isNotEmpty().noneMatch(text -> text.contains(SECRET));
    return settings.refusals();
  }

  /** The only problem of the changed settings. */
  static String problem(Map<String, String> changes) {
    List<String> problems = problems(changes);
    assertThat(problems).hasSize(1);
    return problems.get(0);
  }
}
