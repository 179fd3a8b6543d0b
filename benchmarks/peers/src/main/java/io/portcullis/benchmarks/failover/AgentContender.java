package io.portcullis.benchmarks.failover;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Uses only the MBean of Portcullis: the agent of this JVM participates by itself. */
public final class AgentContender implements Contender {
  /** The name of the agent's election. */
  public static final String ELECTION = "bench";

  private static final Set<Object> TAKING_PART = Set.of("LEADER", "STANDBY");
  private static final long PAUSE_NANOS = 5_000_000;

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final ObjectName election;
  private final GuardedWork work = new GuardedWork();

  public AgentContender() throws JMException {
    this.election = new ObjectName("io.portcullis:type=Election,name=" + ELECTION);
    join();
  }

  /** Only waits: the agent joined before main, and rejoins by itself once another node leads. */
  @Override
  public void join() throws JMException {
    while (!beans.isRegistered(election)
        || !TAKING_PART.contains(beans.getAttribute(election, "Role"))) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public boolean mayAct() {
    try {
      work.act();
      return true;
    } catch (IllegalStateException e) { // The gate's exception extends it.
      return false;
    }
  }

  @Override
  public void stepDown() throws JMException {
    beans.invoke(election, "stepDown", new Object[0], new String[0]);
  }
}
