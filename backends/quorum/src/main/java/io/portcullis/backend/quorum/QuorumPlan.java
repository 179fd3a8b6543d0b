package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.net.Member;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One election among the nodes themselves, its settings found to be right. Its text holds no
 * secret.
 *
 * @param tempo how fast it all goes
 * @param members all members in the order of their ids
 * @param self this node's place among them
 * @param listen where this node listens, not looked up yet
 * @param trust by what members know each other
 * @param dataDir the folder around the one in which this node keeps its votes
 * @param cluster whose election this is, {@code service/election}
 * @param warnings what is allowed and yet worth a line in the log
 */
record QuorumPlan(
    Tempo tempo,
    List<Member> members,
    int self,
    Address listen,
    Trust trust,
    Path dataDir,
    String cluster,
    List<String> warnings)
    implements StorePlan {

  QuorumPlan {
    members = List.copyOf(members);
    warnings = List.copyOf(warnings);
  }

  @Override
  public Timing timing() {
    return tempo.timing();
  }

  @Override
  public String storeKey() {
    return "quorum " + listen;
  }

  @Override
  public String describe() {
    return members.stream()
        .map(member -> member.id() + " at " + new Address(member.host(), member.port()))
        .collect(
            Collectors.joining(
                ", ",
                "quorum of " + members.size() + " members (",
                "), this is "
                    + members.get(self).id()
                    + ", listens at "
                    + listen
                    + ", trusts by "
                    + trust
                    + ", votes in "
                    + dataDir));
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    throw new UnsupportedOperationException("The parts of a quorum are not joined yet.");
  }
}
