package io.portcullis.agent.jmx;

import io.portcullis.agent.node.AuditLog;
import io.portcullis.agent.node.Node;
import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.Transitions.Transition;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One election behind its bean. Every attribute is read anew. */
@SuppressWarnings("NullAway") // A bean's attribute says null where nothing is known.
final class ElectionMBeanAdapter implements ElectionMBean {
  private final Node node;
  private final NodeElection election;

  ElectionMBeanAdapter(Node node, NodeElection election) {
    this.node = node;
    this.election = election;
  }

  @Override
  public String getRole() {
    return election.view().role().name();
  }

  @Override
  public String getLeader() {
    return election.view().leader();
  }

  @Override
  public String getLeaderAddress() {
    return election.view().leaderAddress();
  }

  @Override
  public long getEpoch() {
    Long epoch = election.view().epoch();
    return epoch == null ? 0 : epoch;
  }

  @Override
  public String getNode() {
    return node.identity();
  }

  @Override
  public long getLeaseRemainingMillis() {
    return election.view().leaseRemainingMillis();
  }

  @Override
  public long getHeartbeatAgeMillis() {
    return election.view().heartbeatAgeMillis();
  }

  @Override
  public boolean isHeartbeatStale() {
    return election.view().stale();
  }

  @Override
  public String getBackend() {
    return election.view().backend();
  }

  @Override
  public long getElectionCount() {
    return election.view().counts().elections();
  }

  @Override
  public String getLastTransition() {
    List<Transition> own =
        node.transitions().list().stream()
            .filter(transition -> transition.election().equals(election.name()))
            .toList();
    return own.isEmpty() ? "" : own.get(own.size() - 1).sentence();
  }

  @Override
  public String getWhy() {
    return election.view().why();
  }

  @Override
  public void stepDown() {
    order("step-down", election::stepDown);
  }

  @Override
  public void stepDown(String to) {
    order("step-down", () -> election.stepDown(Optional.of(to)));
  }

  @Override
  public void drain(long maxWaitSeconds) {
    order("drain", () -> election.drain(Duration.ofSeconds(maxWaitSeconds)));
  }

  @Override
  public void resume() {
    order("resume", election::resume);
  }

  private void order(String what, Runnable order) {
    RoleName role = election.view().role();
    try {
      order.run();
    } catch (RuntimeException e) {
      AuditLog.refused(election, what, "jmx", e);
      throw e;
    }
    AuditLog.given(election, what, "jmx", role);
  }
}
