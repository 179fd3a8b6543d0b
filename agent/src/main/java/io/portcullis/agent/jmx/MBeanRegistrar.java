package io.portcullis.agent.jmx;

import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.Transitions.Transition;
import io.portcullis.rules.coverage.RuleCoverage;
import java.util.HashSet;
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
import javax.management.StandardEmitterMBean;
import javax.management.StandardMBean;

/** Registers a bean for each election and each rule, and one for the agent. */
public final class MBeanRegistrar {
  private static final String TRANSITION = "io.portcullis.transition";

  private final MBeanServer server;
  private final Node node;
  private final Supplier<String> reload;
  private final Supplier<String> diagnostics;
  private final Set<String> shownRules = new HashSet<>();

  /**
   * Beans of {@code node} in {@code server}.
   *
   * @param reload reads the configuration again, and says what came of it
   * @param diagnostics all there is to know for whoever looks for a fault
   */
  public MBeanRegistrar(
      MBeanServer server, Node node, Supplier<String> reload, Supplier<String> diagnostics) {
    this.server = server;
    this.node = node;
    this.reload = reload;
    this.diagnostics = diagnostics;
  }

  /** Registers them all. */
  public void register() throws JMException {
    for (NodeElection election : node.elections()) {
      registerElection(election);
    }
    server.registerMBean(
        new StandardMBean(new AgentMBeanAdapter(node, reload, diagnostics), AgentMBean.class),
        new ObjectName("io.portcullis:type=Agent"));
    registerRules();
  }

  /** Shows the rules that there are now, and no others. */
  public void showRules() {
    try {
      registerRules();
    } catch (JMException e) {
      throw new IllegalStateException("JMX does not show the rules as they are now.", e);
    }
  }

  private synchronized void registerRules() throws JMException {
    Set<String> rules =
        node.rules().get().stream().map(RuleCoverage::id).collect(Collectors.toSet());
    for (String gone : shownRules.stream().filter(id -> !rules.contains(id)).toList()) {
      unregisterRule(gone);
    }
    for (String id : rules) {
      if (!shownRules.contains(id)) {
        registerRule(id);
      }
    }
  }

  private void unregisterRule(String id) throws JMException {
    shownRules.remove(id);
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
                "Something changed in the election; the user data is a map of what is known of it"));
    AtomicLong sequence = new AtomicLong();
    server.registerMBean(
        new StandardEmitterMBean(
            new ElectionMBeanAdapter(node, election), ElectionMBean.class, broadcaster),
        name);
    node.transitions()
        .onNext(
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

  /** Of the JDK's own types alone, so that a remote client can read it without our classes. */
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
        new StandardMBean(new RuleMBeanAdapter(node, id), RuleMBean.class), name("Rule", id));
    shownRules.add(id);
  }

  private static ObjectName name(String type, String name) throws JMException {
    return new ObjectName("io.portcullis:type=" + type + ",name=" + name);
  }
}
