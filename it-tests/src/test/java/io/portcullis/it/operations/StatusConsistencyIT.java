package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AdminCli;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Browser;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StatusConsistencyCheck;
import io.portcullis.it.support.StatusObservation;
import io.portcullis.it.support.StatusPoller;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.JMException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that all status interfaces agree; a change between two observations is not an error. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class StatusConsistencyIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void statusCommandLineAndJmxAgreeInEveryRole()
      throws IOException, InterruptedException, JMException {
    AdminCli operator = new AdminCli(stage);
    ServiceJvm node =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("journal").resolve("journal.log"))
                .conf(operator.withAdminToken(AgentConf.ledger(stage.redis().uri(), LEASE))));
    node.awaitRole("LEADER");
    node.awaitLog("became leader");
    try (JmxConnection jmx = JmxConnection.to(node)) {
      Awaitility.await().atMost(TIMEOUT).until(() -> jmx.has(JmxConnection.election()));
      agree(operator, node, jmx, "LEADER");
      operator.runAdminCommand("drain", node, "--seconds", "5");
      agree(operator, node, jmx, "DRAINED");
      operator.runAdminCommand("resume", node);
      node.awaitRole("LEADER");
      agree(operator, node, jmx, "LEADER");
    }
  }

  @Test
  void statusJmxAndCliAgreeDuringLeaderChanges()
      throws IOException, InterruptedException, JMException {
    AdminCli operator = new AdminCli(stage);
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(AgentConf.ledger(stage.redis().uri(), LEASE), "a", "b", "c");
    Map<String, JmxConnection> links = new HashMap<>();
    for (ServiceJvm node : trial.nodes()) {
      JmxConnection link = JmxConnection.to(node);
      stage.opened(() -> end(link));
      Awaitility.await().atMost(TIMEOUT).until(() -> link.has(JmxConnection.election()));
      links.put(node.name(), link);
    }
    List<StatusObservation> page;
    List<StatusObservation> others;
    try (StatusPoller onlookers = StatusPoller.over(operator, trial.nodes())) {
      trial.awaitLeaderAfter(0);
      for (String order : List.of("stepDown", "drain", "stepDown", "drain")) {
        ServiceJvm leader = trial.awaitLeader();
        long epoch = leader.status().epoch();
        JmxConnection link = Objects.requireNonNull(links.get(leader.name()));
        if (order.equals("drain")) {
          link.drain(5);
          leader.awaitRole("DRAINED");
        } else {
          link.invoke(order);
        }
        trial.awaitLeaderAfter(epoch);
        if (order.equals("drain")) {
          link.invoke("resume");
        }
        onlookers.awaitCommandLine();
      }
      ServiceJvm last = trial.awaitLeader();
      long epoch = last.status().epoch();
      trial.kill(last);
      trial.awaitLeaderAfter(epoch);
      onlookers.awaitCommandLine();
      page = onlookers.page();
      others = onlookers.others();
    }
    StatusConsistencyCheck agreement =
        StatusConsistencyCheck.of(page, others, trial.stopAndCheck());

    assertThat(agreement.violations()).isEmpty();
    assertThat(agreement.confirmed().get("jmx")).as("observed by JMX").hasSizeGreaterThan(10);
    assertThat(agreement.confirmed().get("command line"))
        .as("observed by the command line")
        .hasSizeGreaterThan(3);
  }

  @Test
  void browserPageAgreesWithStatusDuringLeaderChanges()
      throws IOException, InterruptedException, JMException {
    AdminCli operator = new AdminCli(stage);
    Browser browser = stage.opened(Browser.open(stage.folder("browser")));
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(operator.withAdminToken(AgentConf.ledger(stage.redis().uri(), LEASE)), "a", "b");
    List<StatusObservation> page;
    List<StatusObservation> others;
    try (StatusPoller onlookers = StatusPoller.over(operator, trial.nodes())) {
      onlookers.watch(browser, trial.nodes().get(0));
      trial.awaitLeaderAfter(0);
      for (int i = 0; i < 4; i++) {
        ServiceJvm leader = trial.awaitLeader();
        long epoch = leader.status().epoch();
        onlookers.awaitBrowser();
        operator.runAdminCommand("step-down", leader);
        trial.awaitLeaderAfter(epoch);
      }
      onlookers.awaitBrowser();
      page = onlookers.page();
      others = onlookers.others();
    }
    StatusConsistencyCheck agreement =
        StatusConsistencyCheck.of(page, others, trial.stopAndCheck());

    assertThat(agreement.violations()).isEmpty();
    assertThat(agreement.confirmed().get("browser"))
        .as("observed in the browser")
        .hasSizeGreaterThan(2);
  }

  private static void end(JmxConnection link) {
    try {
      link.close();
    } catch (IOException e) {
      // The node was killed.
    }
  }

  /**
   * Reads HTTP before and after the others: what did not change between must equal their values.
   */
  private static void agree(AdminCli operator, ServiceJvm node, JmxConnection jmx, String role)
      throws IOException, InterruptedException, JMException {
    JsonNode before = node.status().election();
    String line =
        operator.run("status", List.of(node)).stdout().lines().skip(1).findFirst().orElseThrow();
    String jmxRole = String.valueOf(jmx.get(JmxConnection.election(), "Role"));
    String jmxEpoch = String.valueOf(jmx.get(JmxConnection.election(), "Epoch"));
    String metrics = node.get("/metrics").body();
    JsonNode after = node.status().election();

    assertThat(before.path("role").asText()).isEqualTo(role);
    assertThat(after.path("role").asText()).isEqualTo(role);
    assertThat(after.path("epoch")).isEqualTo(before.path("epoch"));
    assertThat(jmxRole).isEqualTo(role);
    assertThat(jmxEpoch).isEqualTo(after.path("epoch").asText());
    assertThat(line).contains(" " + role + " ", " " + after.path("epoch").asText() + " ");
    assertThat(metrics)
        .contains("portcullis_state{election=\"writer\",state=\"" + role + "\"} 1.0")
        .contains(
            "portcullis_is_leader{election=\"writer\"} " + (role.equals("LEADER") ? 1.0 : 0.0));
  }
}
