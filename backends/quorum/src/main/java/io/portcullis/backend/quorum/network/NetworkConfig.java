package io.portcullis.backend.quorum.network;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * All that a node needs to speak with the others.
 *
 * @param cluster whose election this is, {@code service/election}: other clusters are refused
 * @param members the configured list in the order of the ids: another list is refused
 * @param self this node's place in the list
 * @param listen where to listen
 * @param peer what the others are told of this process
 * @param credentials how members know each other; asked for each link, since they may be replaced
 * @param patience after so long without an answer a link counts as dead
 */
public record NetworkConfig(
    String cluster,
    List<MemberEndpoint> members,
    int self,
    InetSocketAddress listen,
    PeerProcess peer,
    Supplier<PeerCredentials> credentials,
    Duration patience) {

  /** Keeps a copy. */
  public NetworkConfig {
    members = List.copyOf(members);
  }
}
