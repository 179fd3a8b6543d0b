package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Row of the status table: one node in one election. Unknown cells contain a dash.
 *
 * @param node the node's identity, or its address if it did not respond
 * @param role the role, or {@code ?} if unknown
 * @param lease the remaining lease on the leader, else the age of the leader's last heartbeat
 * @param since how long the node has had this role
 * @param leader the leader as this node sees it
 * @param why the reason for the role
 */
record StatusRow(
    String node,
    String election,
    String role,
    String epoch,
    String lease,
    String since,
    String leader,
    String why) {
  static final List<String> TITLES =
      List.of("NODE", "ELECTION", "ROLE", "EPOCH", "LEASE", "SINCE", "LEADER", "WHY");
  private static final String NOTHING = "-";

  static StatusRow noResponse(NodeAddress node, String why) {
    return new StatusRow(
        node.toString(), NOTHING, "?", NOTHING, NOTHING, NOTHING, NOTHING, plain(why));
  }

  static StatusRow of(String node, String election, Config fields, Instant now) {
    String role = fields.getString("role");
    long left = fields.getLong("leaseRemainingMillis");
    long age = fields.getLong("heartbeatAgeMillis");
    return new StatusRow(
        plain(node),
        plain(election),
        plain(role),
        text(fields, "epoch"),
        role.equals("LEADER")
            ? seconds(left) + " left"
            : age < 0 ? NOTHING : "heartbeat " + seconds(age) + " ago",
        duration(Duration.between(Instant.parse(fields.getString("since")), now)),
        text(fields, "leader"),
        text(fields, "why"));
  }

  List<String> cells() {
    return List.of(node, election, role, epoch, lease, since, leader, why);
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
