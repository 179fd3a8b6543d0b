package io.portcullis.agent.jmx;

import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.Transition;
import io.portcullis.rules.RuleCoverage;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.StandardEmitterMBean;
import javax.management.StandardMBean;

/** Registers a bean for each election and each rule. */
public final class Beans {
  private static final String TRANSITION = "io.portcullis.transition";

  private final MBeanServer server;
  private final Node node;

  /** Beans of {@code node} in {@code server}. */
  public Beans(MBeanServer server, Node node) {
    this.server = server;
    this.node = node;
  }

  /** Registers them all. */
  public void register() throws JMException {
    for (NodeElection election : node.elections()) {
      registerElection(election);
    }
    for (RuleCoverage rule : node.rules().get()) {
      registerRule(rule.id());
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
            new ShownElection(node, election), ElectionBean.class, broadcaster),
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
        new StandardMBean(new ShownRule(node, id), RuleBean.class), name("Rule", id));
  }

  private static ObjectName name(String type, String name) throws JMException {
    return new ObjectName("io.portcullis:type=" + type + ",name=" + name);
  }
}
