package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.Views;
import io.portcullis.rules.coverage.RuleState;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathsTest {

  private static int status(String path, ElectionView... elections) {
    return get(path, Views.node(elections), false).status();
  }

  private static Reply get(String path, NodeView view, boolean readyWhenLeader) {
    return new Paths(() -> view, each -> "metrics", readyWhenLeader).answer("GET", path);
  }

  @Test
  void healthIsGoodInAnOutageAsAStandbyAndWhileNotCampaigning() {
    assertThat(status("/healthz", Views.leading("writer"))).isEqualTo(200);
    assertThat(status("/healthz", Views.standby("writer"))).isEqualTo(200);
    assertThat(status("/healthz", Views.unanswered("writer"))).isEqualTo(200);
    assertThat(status("/healthz", Views.notCampaigning("writer"))).isEqualTo(200);
  }

  @Test
  void healthIsBadOnceAnEngineDiedOrARuleFailed() {
    NodeView failedRule =
        Views.node(
            List.of(Views.leading("writer")), List.of(Views.rule("orders", RuleState.FAILED)));

    assertThat(status("/healthz", Views.leading("writer"), Views.broken("reader"))).isEqualTo(503);
    assertThat(get("/healthz", failedRule, false).status()).isEqualTo(503);
  }

  @Test
  void thePageForPeopleMayRunAndLoadNothingButItself() {
    Reply page = get("/", Views.node(Views.leading("writer")), false);

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.type()).startsWith("text/html");
    assertThat(page.body()).doesNotContain("src=").doesNotContainPattern("href=\"https?:");
    assertThat(page.more().get("Content-Security-Policy"))
        .contains("default-src 'none'")
        .containsPattern("script-src 'sha256-[A-Za-z0-9+/]{43}='")
        .doesNotContain("unsafe");
  }

  @Test
  void readyOnceTheStoreHasAnsweredAndItMayCampaign() {
    assertThat(status("/readyz", Views.standby("writer"))).isEqualTo(200);
    assertThat(status("/readyz", Views.unanswered("writer"))).isEqualTo(503);
    assertThat(status("/readyz", Views.notCampaigning("writer"))).isEqualTo(503);
  }

  @Test
  void readyOnTheLeaderAloneIfSoConfigured() {
    NodeView leader = Views.node(Views.leading("writer"));
    NodeView standby = Views.node(Views.standby("writer"));

    assertThat(get("/readyz", leader, true).status()).isEqualTo(200);
    assertThat(get("/readyz", standby, true).status()).isEqualTo(503);
  }

  @Test
  void leaderMeansAllElectionsOrTheOneNamed() {
    ElectionView[] mixed = {Views.leading("writer"), Views.standby("reader")};

    assertThat(status("/leader", mixed)).isEqualTo(503);
    assertThat(status("/leader/writer", mixed)).isEqualTo(200);
    assertThat(status("/leader/reader", mixed)).isEqualTo(503);
    assertThat(status("/leader/other", mixed)).isEqualTo(404);
    assertThat(status("/leader/", mixed)).isEqualTo(404);
    assertThat(status("/leader", Views.leading("writer"))).isEqualTo(200);
  }

  @Test
  void whatIsReadCanNotBeWritten() {
    Paths paths = new Paths(() -> Views.node(Views.leading("writer")), each -> "", false);

    assertThat(paths.answer("POST", "/leader").status()).isEqualTo(405);
    assertThat(paths.answer("DELETE", "/api/status").more()).containsEntry("Allow", "GET, HEAD");
    assertThat(paths.answer("POST", "/nothing").status()).isEqualTo(404);
  }
}
