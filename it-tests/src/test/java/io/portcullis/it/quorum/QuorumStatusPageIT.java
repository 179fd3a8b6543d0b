package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.Browser;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumStatusPageIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final int DESKTOP_WIDTH = 1200;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void statusPageShowsReachabilityOfAllMembers() throws IOException, InterruptedException {
    Browser browser = stage.opened(Browser.open(stage.folder("browser")));
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    List<ServiceJvm> nodes = quorum.join("a", "b", "c");
    ServiceJvm leader = QuorumCluster.awaitLeader(nodes);
    List<ServiceJvm> others = nodes.stream().filter(node -> node != leader).toList();
    QuorumCluster.awaitFollows(others.get(0), leader);

    browser.show(others.get(0).agentUrl() + "/", DESKTOP_WIDTH);
    browser.awaitText("STANDBY", "● LEADER", "reachable", leader.name() + "-");
    assertThat(browser.text()).doesNotContain("not reachable");

    others.get(1).kill();
    browser.awaitText("not reachable");
  }
}
