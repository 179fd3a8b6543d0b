package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.http.RequestRouter.StatusEndpoints;
import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.NodeViewFixtures;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusEndpointsTest {

  private static int status(String path, ElectionView... elections) {
    return get(path, NodeViewFixtures.node(elections), false).status();
  }

  private static HttpResponse get(String path, NodeView view, boolean readyWhenLeader) {
    return new StatusEndpoints(() -> view, each -> "metrics", readyWhenLeader).answer("GET", path);
  }

  @Test
  void healthzIsOkInOutageStandbyAndWithdrawal() {
    assertThat(status("/healthz", NodeViewFixtures.leading("writer"))).isEqualTo(200);
    assertThat(status("/healthz", NodeViewFixtures.standby("writer"))).isEqualTo(200);
    assertThat(status("/healthz", NodeViewFixtures.unanswered("writer"))).isEqualTo(200);
    assertThat(status("/healthz", NodeViewFixtures.notCampaigning("writer"))).isEqualTo(200);
  }

  @Test
  void healthzFailsAfterAnEngineOrRuleFailure() {
    NodeView failedRule =
        NodeViewFixtures.node(
            List.of(NodeViewFixtures.leading("writer")),
            List.of(NodeViewFixtures.rule("orders", RuleState.FAILED)));

    assertThat(
            status(
                "/healthz", NodeViewFixtures.leading("writer"), NodeViewFixtures.broken("reader")))
        .isEqualTo(503);
    assertThat(get("/healthz", failedRule, false).status()).isEqualTo(503);
  }

  @Test
  void statusPageHasAStrictContentSecurityPolicy() {
    HttpResponse page = get("/", NodeViewFixtures.node(NodeViewFixtures.leading("writer")), false);

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.type()).startsWith("text/html");
    assertThat(page.body()).doesNotContain("src=").doesNotContainPattern("href=\"https?:");
    assertThat(page.more().get("Content-Security-Policy"))
        .contains("default-src 'none'")
        .containsPattern("script-src 'sha256-[A-Za-z0-9+/]{43}='")
        .doesNotContain("unsafe");
  }

  @Test
  void readyAfterTheStoreRespondedAndCampaignIsAllowed() {
    assertThat(status("/readyz", NodeViewFixtures.standby("writer"))).isEqualTo(200);
    assertThat(status("/readyz", NodeViewFixtures.unanswered("writer"))).isEqualTo(503);
    assertThat(status("/readyz", NodeViewFixtures.notCampaigning("writer"))).isEqualTo(503);
  }

  @Test
  void readyOnlyOnTheLeaderIfConfigured() {
    NodeView leader = NodeViewFixtures.node(NodeViewFixtures.leading("writer"));
    NodeView standby = NodeViewFixtures.node(NodeViewFixtures.standby("writer"));

    assertThat(get("/readyz", leader, true).status()).isEqualTo(200);
    assertThat(get("/readyz", standby, true).status()).isEqualTo(503);
  }

  @Test
  void leaderPathCoversAllElectionsOrTheNamedOne() {
    ElectionView[] mixed = {NodeViewFixtures.leading("writer"), NodeViewFixtures.standby("reader")};

    assertThat(status("/leader", mixed)).isEqualTo(503);
    assertThat(status("/leader/writer", mixed)).isEqualTo(200);
    assertThat(status("/leader/reader", mixed)).isEqualTo(503);
    assertThat(status("/leader/other", mixed)).isEqualTo(404);
    assertThat(status("/leader/", mixed)).isEqualTo(404);
    assertThat(status("/leader", NodeViewFixtures.leading("writer"))).isEqualTo(200);
  }

  @Test
  void statusPathsRefuseWrites() {
    StatusEndpoints paths =
        new StatusEndpoints(
            () -> NodeViewFixtures.node(NodeViewFixtures.leading("writer")), each -> "", false);

    assertThat(paths.answer("POST", "/leader").status()).isEqualTo(405);
    assertThat(paths.answer("DELETE", "/api/status").more()).containsEntry("Allow", "GET, HEAD");
    assertThat(paths.answer("POST", "/nothing").status()).isEqualTo(404);
  }
}
