package io.portcullis.agent.node;

import io.portcullis.election.machine.RoleName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs every admin command, whether it came over HTTP or JMX. */
public final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private AuditLog() {}

  /**
   * Logs an admin command that was executed.
   *
   * @param by the channel it came through, with the client's address if known
   * @param role the role of this node when the command arrived
   */
  public static void given(NodeElection election, String command, String by, RoleName role) {
    LOG.info(
        "portcullis election={} command={} by={} role={} next=\"{}\"",
        election.name(),
        command,
        by,
        role,
        AdminCommandOutcome.of(command, role));
  }

  /** Logs an admin command that was refused. */
  public static void refused(NodeElection election, String command, String by, Exception why) {
    LOG.info(
        "portcullis election={} command={} by={} refused why=\"{}\"",
        election.name(),
        command,
        by,
        why.getMessage());
  }

  /** Logs that the node is about to read its configuration again. */
  public static void reload(String by) {
    LOG.info("portcullis command=reload by={}", by);
  }

  /** Describes the effect of an admin command, which depends on the role of the node. */
  public static final class AdminCommandOutcome {
    private AdminCommandOutcome() {}

    /** Describes what the command does to a node in this role. */
    public static String of(String command, RoleName role) {
      return switch (command) {
        case "drain" -> ofDrain(role);
        case "resume" ->
            role == RoleName.DRAINED
                ? "The node takes part again."
                : "The node was not drained; nothing changes.";
        default -> ofStepDown(role);
      };
    }

    private static String ofDrain(RoleName role) {
      return switch (role) {
        case LEADER -> "Calls in flight may end, then another leads; role is DRAINED until resume.";
        case DRAINED -> "The node is drained already, and stays out until resume.";
        default -> "The node was not leading (" + role + "); it stays out until resume.";
      };
    }

    private static String ofStepDown(RoleName role) {
      return switch (role) {
        case LEADER -> "The node stays out until another leads, or two leases have passed.";
        case STANDBY, CANDIDATE ->
            "The node was not leading ("
                + role
                + "), so nothing is handed over; it stays out until another leads, or two leases"
                + " have passed.";
        default -> "The node was not leading (" + role + ") and takes no part; nothing changes.";
      };
    }
  }
}
