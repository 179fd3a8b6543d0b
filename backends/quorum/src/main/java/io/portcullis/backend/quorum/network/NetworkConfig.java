package io.portcullis.backend.quorum.network;

import io.portcullis.backend.quorum.network.Network.PeerProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a node's network.
 *
 * @param cluster the cluster of the election, {@code service/election}: other clusters are rejected
 * @param members the configured list in the order of the ids: another list is rejected
 * @param self this node's index in the list
 * @param listen the address to listen on
 * @param peer what this node reports about its process
 * @param credentials the current credentials; read for each connection, since they may be replaced
 * @param responseTimeout after this time without a response a connection is considered dead
 */
public record NetworkConfig(
    String cluster,
    List<MemberEndpoint> members,
    int self,
    InetSocketAddress listen,
    PeerProcess peer,
    Supplier<PeerCredentials> credentials,
    Duration responseTimeout) {

  public NetworkConfig {
    members = List.copyOf(members);
  }

  /**
   * One member of the configured list.
   *
   * @param id its name in the list
   * @param host name or address at which the others reach it
   */
  public record MemberEndpoint(String id, String host, int port) {

    @Override
    public String toString() {
      return id + " at " + host + ":" + port;
    }
  }

  /**
   * The credentials by which members authenticate each other. Without any, every client that
   * reaches the port can vote.
   *
   * @param secrets shared secrets: the first seals what is sent, each is accepted; empty for none
   * @param tls the context for mutual TLS, null for none
   */
  public record PeerCredentials(List<String> secrets, @Nullable SSLContext tls) {

    public PeerCredentials {
      secrets = List.copyOf(secrets);
    }

    @Override
    public String toString() {
      return (tls == null ? "no TLS" : "mutual TLS") + ", " + secrets.size() + " secrets";
    }
  }
}
