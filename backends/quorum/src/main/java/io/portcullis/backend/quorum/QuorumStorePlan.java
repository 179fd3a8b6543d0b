package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.backend.quorum.network.PeerProcess;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
record QuorumStorePlan(
    QuorumTiming tempo,
    List<MemberEndpoint> members,
    int self,
    MemberAddress listen,
    ClusterAuth trust,
    Path dataDir,
    String cluster,
    List<String> warnings)
    implements StorePlan {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final Duration MIN_LINK_TIMEOUT = Duration.ofSeconds(3);

  QuorumStorePlan {
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
        .map(member -> member.id() + " at " + new MemberAddress(member.host(), member.port()))
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
  public boolean carriesPriorityRequestOf(int priority) {
    return true;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return new QuorumLeaseStore(member(config, true));
  }

  @Override
  public LeaseStore openWitness(ElectionConfig config) {
    return new QuorumLeaseStore(member(config, false));
  }

  private QuorumNode member(ElectionConfig config, boolean candidate) {
    PeerProcess peer = PeerProcess.of(config.identity(), config.address());
    if (config.address() != null && peer.address() == null) {
      LOG.warn("portcullis election={} node.advertise is too long to be told", config.name());
    }
    Timing timing = timing();
    QuorumConfig machine =
        new QuorumConfig(
            cluster,
            members.stream().map(MemberEndpoint::id).toList(),
            self,
            peer.identity(),
            peer.address(),
            timing.lease(),
            timing.longestLease(),
            tempo.electionMin(),
            tempo.electionMax(),
            timing.firstElection() == FirstElection.AT_ONCE,
            config.priority(),
            candidate,
            ThreadLocalRandom.current().nextLong());
    NetworkConfig links =
        new NetworkConfig(
            cluster, members, self, listen.socket(), peer, trust::credentials, patience());
    return new QuorumNode(config.name(), machine, links, dataDir);
  }

  /** A leader that beats this often is heard within it, unless the link is dead. */
  private Duration patience() {
    Duration beats = timing().renew().multipliedBy(3);
    return beats.compareTo(MIN_LINK_TIMEOUT) > 0 ? beats : MIN_LINK_TIMEOUT;
  }
}
