package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Row of the status table: one node in one election. Unknown cells contain a dash.
 *
 * @param node the node's identity
 * @param address the address asked, or where the node's agent would be asked
 * @param role the role, or {@code ?} if unknown
 * @param mode whether refused calls are refused: enforce, observe or off
 * @param lease the remaining lease on the leader, else the age of the leader's last heartbeat
 * @param since how long the node has had this role
 * @param leader the leader as this node sees it
 * @param why the reason for the role
 */
record StatusRow(
    String node,
    String address,
    String election,
    String role,
    String mode,
    String epoch,
    String lease,
    String since,
    String leader,
    String why) {
  static final List<String> TITLES =
      List.of(
          "NODE",
          "ADDRESS",
          "ELECTION",
          "ROLE",
          "MODE",
          "EPOCH",
          "LEASE",
          "SINCE",
          "LEADER",
          "WHY");
  private static final String NOTHING = "-";

  static StatusRow noResponse(NodeAddress address, String why) {
    return unknown(NOTHING, address, NOTHING, why);
  }

  /** A node that did not respond itself. */
  static StatusRow unknown(String node, NodeAddress address, String election, String why) {
    return new StatusRow(
        plain(node),
        plain(address.toString()),
        plain(election),
        "?",
        NOTHING,
        NOTHING,
        NOTHING,
        NOTHING,
        NOTHING,
        plain(why));
  }

  /** The row of this election in the status of a node. */
  static StatusRow of(NodeAddress address, Config status, String election, Instant now) {
    Config fields = status.getConfig("elections").getConfig(ConfigUtil.joinPath(election));
    String role = fields.getString("role");
    long left = fields.getLong("leaseRemainingMillis");
    long age = fields.getLong("heartbeatAgeMillis");
    return new StatusRow(
        plain(status.getString("node")),
        plain(address.toString()),
        plain(election),
        plain(role),
        text(status, "mode"),
        text(fields, "epoch"),
        role.equals("LEADER")
            ? seconds(left) + " left"
            : age < 0 ? NOTHING : "heartbeat " + seconds(age) + " ago",
        duration(Duration.between(Instant.parse(fields.getString("since")), now)),
        text(fields, "leader"),
        text(fields, "why"));
  }

  List<String> cells() {
    return List.of(node, address, election, role, mode, epoch, lease, since, leader, why);
  }

  /** Whether the node leads, or has named a leader. */
  boolean knowsLeader() {
    return isLeader() || !leader.equals(NOTHING);
  }

  boolean isLeader() {
    return role.equals("LEADER");
  }

  /** Whether the node responded and takes part in the election. */
  boolean participates() {
    return !role.equals("?") && !role.equals("OFF");
  }

  private static String text(Config fields, String key) {
    return fields.hasPath(key) ? plain(fields.getString(key)) : NOTHING;
  }

  /** Replaces control characters, which a terminal would execute. */
  static String plain(String received) {
    return received.replaceAll("\\p{Cntrl}", "?");
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  private static String duration(Duration time) {
    if (time.toDays() > 1) {
      return time.toDays() + " d";
    }
    if (time.toHours() > 1) {
      return time.toHours() + " h";
    }
    return time.toMinutes() > 1 ? time.toMinutes() + " min" : Math.max(0, time.toSeconds()) + " s";
  }
}
