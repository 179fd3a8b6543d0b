package io.portcullis.agent.cli.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A member of a quorum as another one names it.
 *
 * @param election the election
 * @param name its name in the list of members
 * @param identity the process that speaks for it, empty if it is not heard
 * @param agent where its agent answers, if it does so at the port of who names it
 * @param witness who names it
 */
record QuorumMemberStatus(
    String election, String name, String identity, NodeAddress agent, String witness) {

  /** All that this node names but itself; none if it is of another kind. */
  static List<QuorumMemberStatus> of(NodeAddress node, Config status) {
    List<QuorumMemberStatus> members = new ArrayList<>();
    Config elections = status.getConfig("elections");
    for (String election : new TreeSet<>(elections.root().keySet())) {
      Config fields = elections.getConfig(ConfigUtil.joinPath(election));
      if (fields.hasPath("members")) {
        for (Config each : fields.getConfigList("members")) {
          member(node, status.getString("node"), election, each, members);
        }
      }
    }
    return members;
  }

  private static void member(
      NodeAddress node,
      String witness,
      String election,
      Config fields,
      List<QuorumMemberStatus> members) {
    try {
      if (!fields.getBoolean("self")) {
        String address = fields.getString("address");
        String host = address.substring(0, address.lastIndexOf(':'));
        members.add(
            new QuorumMemberStatus(
                election,
                fields.getString("name"),
                fields.hasPath("node") ? fields.getString("node") : "",
                NodeAddress.of(node.base().getScheme(), host, node.base().getPort()),
                witness));
      }
    } catch (ConfigException | IllegalArgumentException | StringIndexOutOfBoundsException e) {
      // A node of another version may name its members in another way; it is shown all the same.
    }
  }

  String key() {
    return election + "/" + name;
  }

  /**
   * What the others say of it.
   *
   * @param other whether another node answers where its agent was looked for
   */
  StatusRow row(boolean other) {
    boolean heard = !identity.isEmpty();
    return new StatusRow(
        StatusRow.plain(heard ? identity : name),
        StatusRow.plain(election),
        "?",
        "-",
        "-",
        "-",
        "-",
        StatusRow.plain(
            (heard ? "heard by " : "not heard by ")
                + witness
                + (!heard
                    ? ""
                    : other
                        ? "; where its agent answers is not known, name its address"
                        : "; its agent does not answer at " + agent)));
  }
}
