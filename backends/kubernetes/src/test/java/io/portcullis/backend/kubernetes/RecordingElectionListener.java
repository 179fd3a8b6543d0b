package io.portcullis.backend.kubernetes;

import io.portcullis.election.ElectionListener;
import io.portcullis.election.Tenure;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the events that a listener receives. */
final class RecordingElectionListener implements ElectionListener {
  final List<Tenure> started = new CopyOnWriteArrayList<>();
  final List<LossReason> stopped = new CopyOnWriteArrayList<>();
  final List<String> leaders = new CopyOnWriteArrayList<>();

  @Override
  public void startedLeading(Tenure tenure) {
    started.add(tenure);
  }

  @Override
  public void stoppedLeading(long epoch, LossReason ending, String why) {
    stopped.add(ending);
  }

  @Override
  public void newLeader(Leader leader) {
    leaders.add(leader.identity());
  }
}
