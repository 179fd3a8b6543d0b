package com.acme.lease;

import io.portcullis.election.ElectionListener;
import io.portcullis.election.ListenerFactory;
import io.portcullis.election.Tenure;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.Leader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the events of every election to the agent's log. */
public final class ElectionEventLogger implements ListenerFactory {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  @Override
  public ElectionListener listen(ElectionConfig election) {
    String where = election.scope() + "/" + election.name();
    return new ElectionListener() {
      @Override
      public void startedLeading(Tenure tenure) {
        LOG.info("event {}: {} started leading epoch={}", where, election.identity(), tenure.epoch());
      }

      @Override
      public void stoppedLeading(long epoch, LossReason ending, String why) {
        LOG.info("event {}: {} stopped leading epoch={} {}", where, election.identity(), epoch, ending);
      }

      @Override
      public void newLeader(Leader leader) {
        LOG.info("event {}: new leader {} epoch={}", where, leader.identity(), leader.epoch());
      }
    };
  }
}
