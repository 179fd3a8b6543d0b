package io.portcullis.agent.node;

import io.portcullis.election.machine.RoleName;

/** What an order to an election will come to, in words: that depends on the role it meets. */
public final class OrderOutcomeText {
  private OrderOutcomeText() {}

  /** For an order of this name, given in this role. */
  public static String of(String order, RoleName role) {
    return switch (order) {
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
