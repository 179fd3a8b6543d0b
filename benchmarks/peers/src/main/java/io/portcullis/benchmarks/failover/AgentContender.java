package io.portcullis.benchmarks.failover;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Knows nothing of Portcullis but its bean: the agent of this JVM takes part by itself. */
final class AgentContender implements Contender {
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final ObjectName election;
  private final GuardedWork work = new GuardedWork();

  AgentContender(String election) throws JMException {
    this.election = new ObjectName("io.portcullis:type=Election,name=" + election);
  }

  @Override
  public void join() {
    // The agent joined before main, and comes back by itself once another leads.
  }

  @Override
  public boolean mayAct() {
    try {
      work.act();
      return true;
    } catch (IllegalStateException e) { // What the gate throws extends it.
      return false;
    }
  }

  @Override
  public void stepDown() throws JMException {
    beans.invoke(election, "stepDown", new Object[0], new String[0]);
  }
}
