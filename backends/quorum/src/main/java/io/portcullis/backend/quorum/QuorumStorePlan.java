package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberIdentity;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberTiming;
import io.portcullis.backend.quorum.machine.QuorumConfig.Membership;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
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
 * The validated settings of one election with {@code backend = quorum}. Its {@code toString}
 * contains no secret.
 *
 * @param tempo the timing settings
 * @param members all members in the order of their ids
 * @param self this node's index in {@code members}
 * @param listen the address to listen on, not resolved yet
 * @param trust the secrets and TLS files by which members authenticate each other
 * @param dataDir the parent of the folder in which this node keeps its votes
 * @param cluster the name of this election's cluster, {@code service/election}
 * @param warnings settings that are allowed but worth a warning in the log
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
                    + ", authenticates with "
                    + trust
                    + ", votes in "
                    + dataDir));
  }

  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return true;
  }

  /** A node that opens it takes part in votes. */
  @Override
  public boolean isOutsideNodes() {
    return false;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return new QuorumLeaseStore(node(config, true));
  }

  @Override
  public LeaseStore openWitness(ElectionConfig config) {
    return new QuorumLeaseStore(node(config, false));
  }

  private QuorumNode node(ElectionConfig config, boolean candidate) {
    PeerProcess peer = PeerProcess.of(config.identity(), config.address());
    if (config.address() != null && peer.address() == null) {
      LOG.warn(
          "portcullis election={} node.advertise is too long and is not sent to other members",
          config.name());
    }
    Timing timing = timing();
    QuorumConfig machine =
        new QuorumConfig(
            new Membership(cluster, members.stream().map(MemberEndpoint::id).toList(), self),
            new MemberIdentity(peer.identity(), peer.address(), config.priority(), candidate),
            new MemberTiming(
                timing.lease(), timing.longestLease(), tempo.electionMin(), tempo.electionMax()),
            timing.firstElection() == FirstElection.AT_ONCE,
            ThreadLocalRandom.current().nextLong());
    NetworkConfig network =
        new NetworkConfig(
            cluster, members, self, listen.socket(), peer, trust::credentials, linkTimeout());
    return new QuorumNode(config.name(), machine, network, dataDir);
  }

  /**
   * Three heartbeat intervals: within that time a message of a live leader arrives, unless the
   * connection is dead.
   */
  private Duration linkTimeout() {
    Duration heartbeats = timing().renew().multipliedBy(3);
    return heartbeats.compareTo(MIN_LINK_TIMEOUT) > 0 ? heartbeats : MIN_LINK_TIMEOUT;
  }
}
