package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.RoleName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a transition, in a form that people and scripts can rely on. */
final class TransitionLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix mark;

  TransitionLog(ElectionConfig config, LogSuffix mark) {
    this.config = config;
    this.mark = mark;
  }

  void write(RoleName from, RoleName to, ElectionEvent event) {
    if (event instanceof ElectionEvent.StartedLeading started) {
      LOG.info(
          "portcullis election={} node={} epoch={} became leader from={} why=\"{}\"{}",
          config.name(),
          config.identity(),
          started.epoch(),
          from,
          started.why(),
          mark);
    } else if (event instanceof ElectionEvent.StoppedLeading stopped) {
      LOG.info(
          "portcullis election={} node={} epoch={} lost leadership from=LEADER to={} why=\"{}\"{}",
          config.name(),
          config.identity(),
          stopped.epoch(),
          to,
          stopped.why(),
          mark);
    } else if (event instanceof ElectionEvent.NewLeader elected) {
      LOG.info(
          "portcullis election={} node={} epoch={} new leader leader={}{}",
          config.name(),
          config.identity(),
          elected.leader().epoch(),
          elected.leader().identity(),
          mark);
    }
  }
}
