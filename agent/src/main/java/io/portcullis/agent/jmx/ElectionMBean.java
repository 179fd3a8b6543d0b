package io.portcullis.agent.jmx;

import io.portcullis.agent.jmx.DescribedMBean.Description;
import io.portcullis.agent.jmx.DescribedMBean.Unit;

/** MBean of one election: its status and the admin commands. */
@Description("An election: its status as this node sees it, and the admin commands")
public interface ElectionMBean {
  @Description("The role of this node; LEADER only while the gate is open")
  String getRole();

  @Description("Identity of the leader; null if none is known")
  String getLeader();

  @Description("Advertised address of the leader; null if unknown")
  String getLeaderAddress();

  @Description("On the leader its own epoch, else the highest seen; 0 if none was seen")
  long getEpoch();

  @Description("The identity of this node")
  String getNode();

  @Unit("milliseconds")
  @Description("Time until the gate shuts if the lease is not renewed; 0 unless leading")
  long getLeaseRemainingMillis();

  @Unit("milliseconds")
  @Description("Time since the leader's last heartbeat; -1 if none was seen")
  long getHeartbeatAgeMillis();

  @Description(
      "Whether this node follows and the age of the heartbeat exceeds the limit of the "
          + "election's timing")
  boolean isHeartbeatStale();

  @Description("Name of the backend, such as redis")
  String getBackend();

  @Unit("changes")
  @Description("Number of leader changes seen by this node")
  long getElectionCount();

  @Description("The latest transition in one line; empty if there was none")
  String getLastTransition();

  @Description("Reason for the role, in one sentence")
  String getWhy();

  @Description(
      "Hands over leadership; the node stays out until another leads or two leases have passed")
  void stepDown();

  @Description(
      "Hands over leadership to the named node; fails with a reason if that node can't take it "
          + "over")
  void stepDown(
      @Description(name = "to", value = "Identity of the node that takes over") String to);

  @Description(
      "Hands over leadership after calls in flight have ended, at the latest after the given "
          + "time; the node stays out until resume")
  void drain(
      @Unit("seconds")
          @Description(
              name = "maxWaitSeconds",
              value = "Maximum time to wait for calls in flight, in seconds")
          long maxWaitSeconds);

  @Description("Ends a drain: the node takes part in the election again")
  void resume();
}
