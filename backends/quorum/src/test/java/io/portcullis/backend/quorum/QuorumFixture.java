package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.machine.QuorumConfig;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberIdentity;
import io.portcullis.backend.quorum.machine.QuorumConfig.MemberTiming;
import io.portcullis.backend.quorum.machine.QuorumConfig.Membership;
import io.portcullis.backend.quorum.network.Network.PeerProcess;
import io.portcullis.backend.quorum.network.NetworkConfig;
import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.backend.quorum.network.NetworkConfig.PeerCredentials;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.LoopbackPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The members of one election in this JVM, each with its own port and folder.
 *
 * @param members the member list, the same for all
 * @param dataDir parent of their folders
 * @param lease the lease, the same for all
 */
record QuorumFixture(List<MemberEndpoint> members, Path dataDir, Duration lease) {
  static final Duration MIN = Duration.ofMillis(150);
  static final Duration MAX = Duration.ofMillis(300);

  static QuorumFixture of(int size, Path dataDir, Duration lease) {
    List<MemberEndpoint> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      members.add(new MemberEndpoint(String.format("m%02d", i), "127.0.0.1", LoopbackPort.free()));
    }
    return new QuorumFixture(List.copyOf(members), dataDir, lease);
  }

  Timing timing() {
    return Timing.builder()
        .lease(lease)
        .renew(lease.dividedBy(10))
        .retryUntilLapse(List.of(lease.dividedBy(40)))
        .heldBackoff(Backoff.steady(lease.dividedBy(10), 0.1))
        .unknownBackoff(Backoff.between(MIN.dividedBy(4), MAX.dividedBy(4)))
        .drain(Duration.ofSeconds(1))
        .build();
  }

  ElectionConfig election(int self) {
    return election(members.get(self).id());
  }

  /** Configuration of a process with this identity. */
  ElectionConfig election(String id) {
    return new ElectionConfig("test", "writer", id, "http://" + id + ":8080", timing());
  }

  LeaseStore candidate(int self, ElectionConfig config) {
    return open(self, config, true);
  }

  LeaseStore witness(int self) {
    return open(self, election(self), false);
  }

  /** Opens another process of this member, with another port and its own folder. */
  LeaseStore duplicate(int self, ElectionConfig config, Path ownFolder) {
    return open(self, config, true, 0, ownFolder);
  }

  private LeaseStore open(int self, ElectionConfig election, boolean candidate) {
    return open(self, election, candidate, members.get(self).port(), dataDir);
  }

  private LeaseStore open(
      int self, ElectionConfig election, boolean candidate, int port, Path folder) {
    Timing timing = election.timing();
    QuorumConfig config =
        new QuorumConfig(
            new Membership("test/writer", members.stream().map(MemberEndpoint::id).toList(), self),
            new MemberIdentity(election.identity(), election.address(), 0, candidate),
            new MemberTiming(timing.lease(), timing.longestLease(), MIN, MAX),
            timing.firstElection() == FirstElection.AT_ONCE,
            ThreadLocalRandom.current().nextLong());
    NetworkConfig links = links(self, election, port);
    return new QuorumLeaseStore(new QuorumNode("writer", config, links, folder));
  }

  /** Network configuration of this member. */
  NetworkConfig links(int self, ElectionConfig election, int port) {
    return new NetworkConfig(
        "test/writer",
        members,
        self,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        new PeerProcess(election.identity(), election.address()),
        () -> new PeerCredentials(List.of(), null),
        Duration.ofSeconds(3));
  }
}
