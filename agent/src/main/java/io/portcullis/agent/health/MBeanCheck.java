package io.portcullis.agent.health;

import io.portcullis.agent.config.EligibilitySection.BeanValue;
import java.time.Duration;
import java.util.List;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Whether an MBean's attribute has a certain value. Only servers that are there already are asked:
 * the platform's is the application's to bring up, or the agent's at its proper time.
 */
record MBeanCheck(BeanValue wanted) implements HealthCheck {

  @Override
  public String name() {
    return "mbean " + wanted.name() + " " + wanted.attribute();
  }

  @Override
  public @Nullable String failure(Duration timeout) throws JMException {
    ObjectName name = new ObjectName(wanted.name());
    List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
    for (MBeanServer server : servers) {
      if (server.isRegistered(name)) {
        try {
          String value = String.valueOf(server.getAttribute(name, wanted.attribute()));
          return value.equals(wanted.equal())
              ? null
              : "is " + brief(value) + ", not " + wanted.equal();
        } catch (InstanceNotFoundException e) {
          return "was just unregistered";
        }
      }
    }
    return servers.isEmpty() ? "there is no MBean server yet" : "there is no such MBean";
  }

  private static String brief(String value) {
    return value.length() <= 80 ? value : value.substring(0, 80) + "…";
  }
}
