package io.portcullis.it.quorum;

import io.portcullis.servers.LoopbackPort;
import java.util.List;

/**
 * The host of a member.
 *
 * @param host its address
 * @param port port for the other members
 * @param command what must stand in front of its own command for it to run there
 */
record QuorumHost(String host, int port, List<String> command) {
  static QuorumHost onLoopback() {
    return new QuorumHost("127.0.0.1", LoopbackPort.free(), List.of());
  }

  String address() {
    return host + ":" + port;
  }
}
