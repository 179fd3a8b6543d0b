package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * One node in one election, as a line of the table.
 *
 * @param node who, or where if it did not say
 * @param election the election
 * @param role the role, or {@code ?}
 * @param epoch the epoch, or a dash
 * @param lease what is left of the lease, or how old the leader's last sign of life is
 * @param since how long it has been so
 * @param leader who leads as this node sees it
 * @param why why it is as it is
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

  static StatusRow unanswered(NodeAddress node, String why) {
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
            : age < 0 ? NOTHING : "heard " + seconds(age) + " ago",
        length(Duration.between(Instant.parse(fields.getString("since")), now)),
        text(fields, "leader"),
        text(fields, "why"));
  }

  List<String> cells() {
    return List.of(node, election, role, epoch, lease, since, leader, why);
  }

  private static String text(Config fields, String key) {
    return fields.hasPath(key) ? plain(fields.getString(key)) : NOTHING;
  }

  /** A terminal obeys control characters, whoever sent them. */
  static String plain(String told) {
    return told.replaceAll("\\p{Cntrl}", "?");
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  private static String length(Duration time) {
    if (time.toDays() > 1) {
      return time.toDays() + " d";
    }
    if (time.toHours() > 1) {
      return time.toHours() + " h";
    }
    return time.toMinutes() > 1 ? time.toMinutes() + " min" : Math.max(0, time.toSeconds()) + " s";
  }
}
