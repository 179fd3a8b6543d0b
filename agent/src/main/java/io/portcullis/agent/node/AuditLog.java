package io.portcullis.agent.node;

import io.portcullis.election.machine.RoleName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has every order of an operator's in the log, whichever way it came. */
public final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private AuditLog() {}

  /**
   * An order to an election was carried out.
   *
   * @param by the way it came, and from where if that is known
   * @param role what it met
   */
  public static void given(NodeElection election, String order, String by, RoleName role) {
    LOG.info(
        "portcullis election={} order={} by={} role={} next=\"{}\"",
        election.name(),
        order,
        by,
        role,
        OrderOutcomeText.of(order, role));
  }

  /** An order to an election was refused. */
  public static void refused(NodeElection election, String order, String by, Exception why) {
    LOG.info(
        "portcullis election={} order={} by={} refused why=\"{}\"",
        election.name(),
        order,
        by,
        why.getMessage());
  }

  /** The node is about to read its configuration again. */
  public static void reload(String by) {
    LOG.info("portcullis order=reload by={}", by);
  }
}
