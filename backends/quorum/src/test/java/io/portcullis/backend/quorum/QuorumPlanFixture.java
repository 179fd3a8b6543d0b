package io.portcullis.backend.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.ReferenceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Lets the backend read right settings with some changes. */
final class QuorumPlanFixture {
  static final String SECRET = "hush-hush-hush-hush";

  private QuorumPlanFixture() {}

  /** Right settings of node b with these changes; an empty text takes a key away. */
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

  /** The plan of such settings. */
  static QuorumStorePlan plan(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    Object plan = new QuorumBackend().plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return (QuorumStorePlan) Objects.requireNonNull(plan);
  }

  /** All that is wrong with them, each with its key; none tells the secret. */
  static List<String> refusals(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new QuorumBackend().plan("orders", "writer", settings)).isNull();
    assertThat(settings.refusals()).isNotEmpty().noneMatch(text -> text.contains(SECRET));
    return settings.refusals();
  }

  /** The only thing that is wrong with them. */
  static String refusal(Map<String, String> changes) {
    List<String> refusals = refusals(changes);
    assertThat(refusals).hasSize(1);
    return refusals.get(0);
  }
}
