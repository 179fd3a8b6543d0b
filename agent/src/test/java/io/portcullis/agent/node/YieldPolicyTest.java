package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.node.LeadershipRequestPolicy.YieldPolicy;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class YieldPolicyTest {
  private static final long SECOND = 1_000_000_000L;

  private final YieldPolicy policy = new YieldPolicy(Duration.ofMinutes(1));

  @Test
  void leaderYieldsToANodeHealthyForAMinute() {
    PreferredNode preferred = new PreferredNode("a", -7 * SECOND);

    assertThat(policy.isDue(preferred, 52 * SECOND)).isFalse();
    assertThat(policy.isDue(preferred, 53 * SECOND)).isTrue();
  }

  @Test
  void leaderYieldsAtMostOnceInFiveMinutes() {
    policy.recordYield(60 * SECOND);

    assertThat(policy.isDue(new PreferredNode("a", 100 * SECOND), 359 * SECOND)).isFalse();
    assertThat(policy.isDue(new PreferredNode("a", 100 * SECOND), 360 * SECOND)).isTrue();
  }
}
