package io.portcullis.agent.jmx;

/** MBean of one election: its status and the admin commands. */
public interface ElectionMBean {
  /** The role; LEADER only while the gate is open. */
  String getRole();

  /** Identity of the leader, null if none is known. */
  String getLeader();

  /** Advertised address of the leader, null if unknown. */
  String getLeaderAddress();

  /** On the leader its own epoch, else the highest seen; 0 if none was seen. */
  long getEpoch();

  /** The identity of this node. */
  String getNode();

  /** Milliseconds until the gate shuts if the lease is not renewed; 0 unless leading. */
  long getLeaseRemainingMillis();

  /** Milliseconds since the leader's last heartbeat; -1 if none was seen. */
  long getHeartbeatAgeMillis();

  /** Whether this node follows and that age exceeds the limit of the election's timing. */
  boolean isHeartbeatStale();

  /** Name of the backend, such as {@code redis}. */
  String getBackend();

  /** Number of leader changes seen by this node. */
  long getElectionCount();

  /** The latest transition in one line, empty if there was none. */
  String getLastTransition();

  /** Reason for the role, in one sentence. */
  String getWhy();

  /** Hands over leadership; the node stays out until another leads or two leases have passed. */
  void stepDown();

  /**
   * Hands over leadership to the named node. Throws with a reason if that node can't take it over.
   */
  void stepDown(String to);

  /**
   * Hands over leadership after calls in flight have ended, at the latest after {@code
   * maxWaitSeconds}; the node stays out until {@link #resume}.
   */
  void drain(long maxWaitSeconds);

  /** Ends a drain: the node takes part in the election again. */
  void resume();
}
