package io.portcullis.agent.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.ElectionView;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.Node.NodeInfo;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.NodeViewFixtures;
import io.portcullis.agent.node.ParticipantFixture;
import io.portcullis.agent.node.TransitionHistory;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the MBeans of a real participant in an MBean server of their own. */
class MBeanRegistrarTest {
  /** An election whose leader's last heartbeat is stale. */
  private static final NodeElection DESERTED =
      new NodeElection() {
        @Override
        public String name() {
          return "writer";
        }

        @Override
        public ElectionView view() {
          return NodeViewFixtures.deserted(name());
        }

        @Override
        public void stepDown(Optional<String> to) {}

        @Override
        public void drain(Duration atMost) {}

        @Override
        public void resume() {}
      };

  private static final NodeInfo INFO = new NodeInfo("a", "orders", "1", "enforce");

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final ParticipantFixture member = ParticipantFixture.on(new InProcessLease());

  @BeforeEach
  void awaitLeader() {
    await().atMost(ParticipantFixture.LONG).until(() -> member.view().isLeader());
  }

  @AfterEach
  void close() {
    member.close();
  }

  private static ObjectName deserted() throws JMException {
    return new ObjectName("io.portcullis:type=Election,name=writer");
  }

  private ObjectName election() throws JMException {
    return new ObjectName("io.portcullis:type=Election,name=" + member.participant().name());
  }

  private Object attribute(String name) throws JMException {
    return server.getAttribute(election(), name);
  }

  private void register() throws JMException {
    new MBeanRegistrar(server, member.node(), () -> "reloaded", () -> "{}").register();
  }

  @Test
  void allBeansDescribeTheirMembersAndUnits() throws JMException {
    register();

    for (ObjectName name : server.queryNames(new ObjectName("io.portcullis:*"), null)) {
      MBeanInfo info = server.getMBeanInfo(name);
      assertThat(info.getDescription()).contains(" ");
      List<MBeanFeatureInfo> features = new ArrayList<>();
      features.addAll(List.of(info.getAttributes()));
      features.addAll(List.of(info.getOperations()));
      for (MBeanOperationInfo operation : info.getOperations()) {
        features.addAll(List.of(operation.getSignature()));
        assertThat(operation.getSignature()).noneMatch(each -> each.getName().matches("p\\d+"));
      }
      assertThat(features)
          .allSatisfy(
              feature -> {
                assertThat(feature.getDescription()).contains(" ").isNotEqualTo(feature.getName());
                if (feature.getName().endsWith("Millis")) {
                  assertThat(feature.getDescriptor().getFieldValue("units"))
                      .isEqualTo("milliseconds");
                }
              });
    }
    MBeanParameterInfo limit =
        Arrays.stream(server.getMBeanInfo(election()).getOperations())
            .filter(operation -> operation.getName().equals("drain"))
            .findFirst()
            .orElseThrow()
            .getSignature()[0];
    assertThat(limit.getName()).isEqualTo("maxWaitSeconds");
    assertThat(limit.getDescriptor().getFieldValue("units")).isEqualTo("seconds");
  }

  @Test
  void electionBeanHasTheDocumentedAttributesAndOperations() throws JMException {
    register();

    assertThat(server.getMBeanInfo(election()).getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .containsExactlyInAnyOrder(
            "Role",
            "Leader",
            "LeaderAddress",
            "Epoch",
            "Node",
            "LeaseRemainingMillis",
            "HeartbeatAgeMillis",
            "HeartbeatStale",
            "Backend",
            "ElectionCount",
            "LastTransition",
            "Why");
    assertThat(server.getMBeanInfo(election()).getAttributes())
        .allMatch(attribute -> attribute.isReadable() && !attribute.isWritable());
    assertThat(server.getMBeanInfo(election()).getOperations())
        .extracting(MBeanOperationInfo::getName)
        .containsExactlyInAnyOrder("stepDown", "stepDown", "drain", "resume");
    assertThat(server.getMBeanInfo(election()).getNotifications()).hasSize(1);
  }

  @Test
  void electionBeanAttributesMatchTheView() throws JMException {
    register();
    await().atMost(ParticipantFixture.LONG).until(() -> !member.transitions().recent().isEmpty());

    assertThat(attribute("Role")).isEqualTo("LEADER");
    assertThat(attribute("Leader")).isEqualTo(member.identity());
    assertThat(attribute("LeaderAddress")).isEqualTo("http://" + member.identity());
    assertThat(attribute("Epoch")).isEqualTo(member.gate().epoch());
    assertThat(attribute("Node")).isEqualTo(member.identity());
    assertThat((Long) attribute("LeaseRemainingMillis")).isBetween(1L, 20_000L);
    assertThat((Long) attribute("HeartbeatAgeMillis")).isNotNegative();
    assertThat(attribute("HeartbeatStale")).isEqualTo(false);
    assertThat(attribute("Backend")).isEqualTo("trial");
    assertThat(attribute("ElectionCount")).isEqualTo(1L);
    assertThat((String) attribute("LastTransition")).contains("epoch=" + member.gate().epoch());
  }

  @Test
  void drainAndResumeOperationsWork() throws JMException {
    register();

    server.invoke(election(), "drain", new Object[] {5L}, new String[] {"long"});
    await().atMost(ParticipantFixture.LONG).until(() -> "DRAINED".equals(attribute("Role")));

    assertThat(member.gate().isOpen()).isFalse();

    server.invoke(election(), "resume", new Object[0], new String[0]);
    await().atMost(ParticipantFixture.LONG).until(() -> "LEADER".equals(attribute("Role")));

    assertThat(member.gate().isOpen()).isTrue();
  }

  @Test
  void stepDownOperationWorks() throws JMException {
    register();

    server.invoke(election(), "stepDown", new Object[0], new String[0]);

    await().atMost(ParticipantFixture.LONG).until(() -> !member.gate().isOpen());
    assertThat(attribute("Role")).isNotEqualTo("LEADER");
    assertThat(attribute("LeaseRemainingMillis")).isEqualTo(0L);
  }

  @Test
  void invalidDrainTimeIsRefused() throws JMException {
    register();

    assertThatThrownBy(
            () -> server.invoke(election(), "drain", new Object[] {-1L}, new String[] {"long"}))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThat(attribute("Role")).isEqualTo("LEADER");
  }

  @Test
  void everyTransitionSendsANotification() throws JMException {
    register();
    await().atMost(ParticipantFixture.LONG).until(() -> member.transitions().recent().size() >= 2);
    Queue<Notification> heard = new ConcurrentLinkedQueue<>();
    server.addNotificationListener(
        election(), (notification, handback) -> heard.add(notification), null, null);

    member.participant().stepDown();
    await().atMost(ParticipantFixture.LONG).until(() -> !heard.isEmpty());

    Notification first = heard.element();
    assertThat(first.getType()).isEqualTo("io.portcullis.transition");
    assertThat(first.getSource()).isEqualTo(election());
    assertThat(first.getMessage()).contains("lost leadership").contains("epoch=");
    assertThat(first.getSequenceNumber()).isPositive();
  }

  @Test
  void notificationContainsOnlyJdkTypes() throws JMException {
    Queue<Object> heard = new ConcurrentLinkedQueue<>();
    TransitionHistory transitions = new TransitionHistory();
    Node node = new Node(INFO, List.of(DESERTED), List::of, List::of, transitions);
    new MBeanRegistrar(server, node, () -> "reloaded", () -> "{}").register();
    server.addNotificationListener(
        deserted(), (notification, handback) -> heard.add(notification.getUserData()), null, null);

    NodeViewFixtures.happen(transitions, "became leader", true, null, "lease acquired");
    NodeViewFixtures.happen(transitions, "new leader", false, "b-990-11aa", null);

    assertThat(heard)
        .hasExactlyElementsOfTypes(TreeMap.class, TreeMap.class)
        .containsExactly(
            Map.of(
                "election", "writer",
                "epoch", 7L,
                "leading", true,
                "what", "became leader",
                "why", "lease acquired"),
            Map.of(
                "election", "writer",
                "epoch", 7L,
                "leading", false,
                "what", "new leader",
                "leader", "b-990-11aa"));
  }

  @Test
  void staleLeaderIsFlagged() throws JMException {
    Node node = new Node(INFO, List.of(DESERTED), List::of, List::of, new TransitionHistory());

    new MBeanRegistrar(server, node, () -> "reloaded", () -> "{}").register();

    assertThat(server.getAttribute(deserted(), "HeartbeatStale")).isEqualTo(true);
  }

  @Test
  void reloadOperationRereadsTheConfig() throws JMException {
    register();
    ObjectName agent = new ObjectName("io.portcullis:type=Agent");

    assertThat(server.invoke(agent, "reload", null, null)).isEqualTo("reloaded");
    assertThat(server.invoke(agent, "diagnostics", null, null)).isEqualTo("{}");
    assertThat(server.getAttribute(agent, "Node")).isEqualTo(member.node().info().identity());
  }

  @Test
  void ruleBeansFollowReloadedRules() throws JMException {
    List<RuleCoverage> rules = new CopyOnWriteArrayList<>();
    rules.add(NodeViewFixtures.rule("orders", RuleState.ARMED));
    Node node = new Node(INFO, List.of(), () -> rules, List::of, new TransitionHistory());
    MBeanRegistrar beans = new MBeanRegistrar(server, node, () -> "reloaded", () -> "{}");
    beans.register();

    rules.clear();
    rules.add(NodeViewFixtures.rule("stock", RuleState.PENDING));
    beans.refreshRules();

    assertThat(server.isRegistered(new ObjectName("io.portcullis:type=Rule,name=orders")))
        .isFalse();
    assertThat(server.getAttribute(new ObjectName("io.portcullis:type=Rule,name=stock"), "State"))
        .isEqualTo("PENDING");
  }

  @Test
  void ruleBeanShowsItsCoverage() throws JMException {
    new MBeanRegistrar(
            server,
            new Node(
                INFO,
                List.of(),
                () -> List.of(NodeViewFixtures.rule("orders", RuleState.ARMED, true)),
                List::of,
                new TransitionHistory()),
            () -> "reloaded",
            () -> "{}")
        .register();
    ObjectName rule = new ObjectName("io.portcullis:type=Rule,name=orders");

    assertThat(server.getMBeanInfo(rule).getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .containsExactlyInAnyOrder(
            "State", "Match", "Action", "Mode", "WovenMethods", "Passed", "Blocked", "Observed");
    assertThat(
            Arrays.asList(
                server.getAttribute(rule, "State"),
                server.getAttribute(rule, "Match"),
                server.getAttribute(rule, "Action"),
                server.getAttribute(rule, "Mode"),
                server.getAttribute(rule, "WovenMethods"),
                server.getAttribute(rule, "Passed"),
                server.getAttribute(rule, "Blocked"),
                server.getAttribute(rule, "Observed")))
        .containsExactly(
            "ARMED", "com.acme.OrderStore#save(..)", "throw", "observe", 2L, 11L, 4L, 3L);
  }
}
