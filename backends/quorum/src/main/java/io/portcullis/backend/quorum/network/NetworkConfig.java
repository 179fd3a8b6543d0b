package io.portcullis.backend.quorum.network;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

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

  /**
   * One member of the configured list.
   *
   * @param id its name in the list
   * @param host where the others reach it, a name or an address
   * @param port the port there
   */
  public record MemberEndpoint(String id, String host, int port) {

    @Override
    public String toString() {
      return id + " at " + host + ":" + port;
    }
  }

  /**
   * How members know each other. Without any of it whoever reaches the port can vote.
   *
   * @param secrets shared secrets: the first seals what is sent, each is accepted; empty for none
   * @param tls the context for mutual TLS, null for none
   */
  public record PeerCredentials(List<String> secrets, @Nullable SSLContext tls) {

    /** Keeps a copy. */
    public PeerCredentials {
      secrets = List.copyOf(secrets);
    }

    @Override
    public String toString() {
      return (tls == null ? "no TLS" : "mutual TLS") + ", " + secrets.size() + " secrets";
    }
  }
}
