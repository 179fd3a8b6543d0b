package io.portcullis.agent.jmx;

import io.portcullis.agent.node.AuditLog;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.NodeView.PendingReload;
import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.machine.RoleName;
import io.portcullis.rules.coverage.RuleCoverage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;

/** Registers an MBean for each election, for each rule and for the agent. */
public final class MBeanRegistrar {
  private static final String TRANSITION = "io.portcullis.transition";

  private final MBeanServer server;
  private final Node node;
  private final Supplier<String> reload;
  private final Supplier<String> diagnostics;
  private final Set<String> registeredRules = new HashSet<>();

  /**
   * Creates a registrar for the MBeans of {@code node}.
   *
   * @param reload reloads the configuration and returns the outcome
   * @param diagnostics returns diagnostics as JSON
   */
  public MBeanRegistrar(
      MBeanServer server, Node node, Supplier<String> reload, Supplier<String> diagnostics) {
    this.server = server;
    this.node = node;
    this.reload = reload;
    this.diagnostics = diagnostics;
  }

  public void register() throws JMException {
    for (NodeElection election : node.elections()) {
      registerElection(election);
    }
    server.registerMBean(
        DescribedMBean.of(new AgentMBeanAdapter(node, reload, diagnostics), AgentMBean.class),
        new ObjectName("io.portcullis:type=Agent"));
    registerRules();
  }

  /** Registers MBeans of new rules and unregisters those of removed rules. */
  public void refreshRules() {
    try {
      registerRules();
    } catch (JMException e) {
      throw new IllegalStateException("The MBeans of the rules could not be updated.", e);
    }
  }

  private synchronized void registerRules() throws JMException {
    Set<String> rules =
        node.rules().get().stream().map(RuleCoverage::id).collect(Collectors.toSet());
    for (String removed : registeredRules.stream().filter(id -> !rules.contains(id)).toList()) {
      unregisterRule(removed);
    }
    for (String id : rules) {
      if (!registeredRules.contains(id)) {
        registerRule(id);
      }
    }
  }

  private void unregisterRule(String id) throws JMException {
    registeredRules.remove(id);
    if (server.isRegistered(name("Rule", id))) {
      server.unregisterMBean(name("Rule", id));
    }
  }

  private void registerElection(NodeElection election) throws JMException {
    ObjectName name = name("Election", election.name());
    NotificationBroadcasterSupport broadcaster =
        new NotificationBroadcasterSupport(
            new MBeanNotificationInfo(
                new String[] {TRANSITION},
                Notification.class.getName(),
                "A transition of the election; the user data is a map with its details"));
    AtomicLong sequence = new AtomicLong();
    server.registerMBean(
        new DescribedMBean(
            new ElectionMBeanAdapter(node, election), ElectionMBean.class, broadcaster),
        name);
    node.transitions()
        .addListener(
            transition -> {
              if (transition.election().equals(election.name())) {
                broadcaster.sendNotification(
                    notification(name, sequence.incrementAndGet(), transition));
              }
            });
  }

  private static Notification notification(ObjectName source, long number, Transition transition) {
    Notification notification =
        new Notification(
            TRANSITION, source, number, transition.at().toEpochMilli(), transition.sentence());
    notification.setUserData(data(transition));
    return notification;
  }

  /** Uses JDK types only, so that a remote client can read the data without the agent's classes. */
  private static SortedMap<String, Object> data(Transition transition) {
    SortedMap<String, Object> data = new TreeMap<>();
    data.put("election", transition.election());
    data.put("leading", transition.leading());
    data.put("epoch", transition.epoch());
    data.put("what", transition.what());
    if (transition.leader() != null) {
      data.put("leader", transition.leader());
    }
    if (transition.why() != null) {
      data.put("why", transition.why());
    }
    return data;
  }

  private void registerRule(String id) throws JMException {
    server.registerMBean(
        DescribedMBean.of(new RuleMBeanAdapter(node, id), RuleMBean.class), name("Rule", id));
    registeredRules.add(id);
  }

  private static ObjectName name(String type, String name) throws JMException {
    return new ObjectName("io.portcullis:type=" + type + ",name=" + name);
  }

  /** Implements the MBean of the agent. */
  static final class AgentMBeanAdapter implements AgentMBean {
    private final Node node;
    private final Supplier<String> reload;
    private final Supplier<String> diagnostics;

    AgentMBeanAdapter(Node node, Supplier<String> reload, Supplier<String> diagnostics) {
      this.node = node;
      this.reload = reload;
      this.diagnostics = diagnostics;
    }

    @Override
    public String getVersion() {
      return node.info().version();
    }

    @Override
    public String getNode() {
      return node.info().identity();
    }

    @Override
    public String getMode() {
      return node.info().mode();
    }

    @Override
    public String getPendingReload() {
      PendingReload pending = node.pendingReload().get();
      return pending == null ? "" : pending.why();
    }

    @Override
    public String reload() {
      AuditLog.reload("jmx");
      return reload.get();
    }

    @Override
    public String diagnostics() {
      return diagnostics.get();
    }
  }

  /** Implements the MBean of one rule. */
  static final class RuleMBeanAdapter implements RuleMBean {
    private final Node node;
    private final String id;

    RuleMBeanAdapter(Node node, String id) {
      this.node = node;
      this.id = id;
    }

    @Override
    public String getState() {
      return rule().state().name();
    }

    @Override
    public String getMatch() {
      return rule().match();
    }

    @Override
    public String getAction() {
      return rule().action();
    }

    @Override
    public String getMode() {
      return rule().mode();
    }

    @Override
    public long getWovenMethods() {
      return rule().wovenMethods();
    }

    @Override
    public long getPassed() {
      return rule().passed();
    }

    @Override
    public long getBlocked() {
      return rule().blocked();
    }

    @Override
    public long getObserved() {
      return rule().observed();
    }

    private RuleCoverage rule() {
      return node.rules().get().stream()
          .filter(rule -> rule.id().equals(id))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("The rule '" + id + "' has been removed."));
    }
  }

  /** Implements the MBean of one election. Each attribute is read from a new view. */
  @SuppressWarnings("NullAway") // MBean attributes are null if the value is unknown.
  static final class ElectionMBeanAdapter implements ElectionMBean {
    private final Node node;
    private final NodeElection election;

    ElectionMBeanAdapter(Node node, NodeElection election) {
      this.node = node;
      this.election = election;
    }

    @Override
    public String getRole() {
      return election.view().leadership().role().name();
    }

    @Override
    public String getLeader() {
      return election.view().leadership().leader();
    }

    @Override
    public String getLeaderAddress() {
      return election.view().leadership().leaderAddress();
    }

    @Override
    public long getEpoch() {
      Long epoch = election.view().leadership().epoch();
      return epoch == null ? 0 : epoch;
    }

    @Override
    public String getNode() {
      return node.info().identity();
    }

    @Override
    public long getLeaseRemainingMillis() {
      return election.view().lease().remainingMillis();
    }

    @Override
    public long getHeartbeatAgeMillis() {
      return election.view().lease().heartbeatAgeMillis();
    }

    @Override
    public boolean isHeartbeatStale() {
      return election.view().lease().stale();
    }

    @Override
    public String getBackend() {
      return election.view().store().backend();
    }

    @Override
    public long getElectionCount() {
      return election.view().activity().counts().elections();
    }

    @Override
    public String getLastTransition() {
      List<Transition> ofThisElection =
          node.transitions().recent().stream()
              .filter(transition -> transition.election().equals(election.name()))
              .toList();
      return ofThisElection.isEmpty()
          ? ""
          : ofThisElection.get(ofThisElection.size() - 1).sentence();
    }

    @Override
    public String getWhy() {
      return election.view().leadership().why();
    }

    @Override
    public void stepDown() {
      execute("step-down", election::stepDown);
    }

    @Override
    public void stepDown(String to) {
      execute("step-down", () -> election.stepDown(Optional.of(to)));
    }

    @Override
    public void drain(long maxWaitSeconds) {
      execute("drain", () -> election.drain(Duration.ofSeconds(maxWaitSeconds)));
    }

    @Override
    public void resume() {
      execute("resume", election::resume);
    }

    private void execute(String command, Runnable action) {
      RoleName role = election.view().leadership().role();
      try {
        action.run();
      } catch (RuntimeException e) {
        AuditLog.refused(election, command, "jmx", e);
        throw e;
      }
      AuditLog.given(election, command, "jmx", role);
    }
  }
}
