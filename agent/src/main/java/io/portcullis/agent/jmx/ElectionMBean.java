package io.portcullis.agent.jmx;

/** What a bean of type Election shows and takes. */
public interface ElectionMBean {
  /** LEADER only while the gate is open. */
  String getRole();

  /** Who leads, null if nobody is known to. */
  String getLeader();

  /** Where the leader can be reached, null if unknown. */
  String getLeaderAddress();

  /** The own epoch on the leader, else the highest seen; 0 if none. */
  long getEpoch();

  /** The identity of this node. */
  String getNode();

  /** How long the gate stays open without a renewal. */
  long getLeaseRemainingMillis();

  /** Since the leader's last sign of life; -1 if there was none. */
  long getHeartbeatAgeMillis();

  /** Whether this node follows and that is longer ago than the election's timing allows. */
  boolean isHeartbeatStale();

  /** The kind of store. */
  String getBackend();

  /** How many new leaders this node has seen. */
  long getElectionCount();

  /** The newest transition, in one line. */
  String getLastTransition();

  /** Why it is as it is, in one sentence. */
  String getWhy();

  /** Hands over, and stays out until another leads or two leases have passed. */
  void stepDown();

  /** The same to the node named; refused with a reason if that one could not follow. */
  void stepDown(String to);

  /** Hands over once calls in flight have ended, at most so long, and stays out. */
  void drain(long maxWaitSeconds);

  /** Takes part again after a drain. */
  void resume();
}
