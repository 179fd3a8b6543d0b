package io.portcullis.agent.jmx;

import io.portcullis.agent.jmx.DescribedMBean.Description;
import io.portcullis.agent.jmx.DescribedMBean.Unit;

/** MBean of one rule. */
@Description("A rule: which methods it gates, and how many calls it refused")
public interface RuleMBean {
  @Description("The state: PENDING, NOT_NEEDED, ARMED, NO_METHOD or FAILED")
  String getState();

  @Description("The match pattern")
  String getMatch();

  @Description("The action for a refused call")
  String getAction();

  @Description("The mode: enforce, or observe if refused calls are only counted and run")
  String getMode();

  @Unit("methods")
  @Description("Number of methods that this rule gates")
  long getWovenMethods();

  @Unit("calls")
  @Description("Number of calls whose body has ended, including calls that were only observed")
  long getPassed();

  @Unit("calls")
  @Description("Number of calls that found the gate shut, except those that were only observed")
  long getBlocked();

  @Unit("calls")
  @Description("Number of calls that found the gate shut and ran all the same, because of the mode")
  long getObserved();
}
