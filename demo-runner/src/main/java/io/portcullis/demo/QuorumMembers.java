package io.portcullis.demo;

import io.portcullis.servers.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The nodes as members of a quorum.
 *
 * @param ports loopback port of each node, kept across restarts
 * @param folder contains the shared secret and a data folder per node
 */
record QuorumMembers(Map<String, Integer> ports, Path folder) {
  private static final String SECRET = "secret";
  private static final int SECRET_BYTES = 16;

  /** Chooses a port for each node and creates the shared secret. */
  static QuorumMembers of(List<String> nodes, Path folder) throws IOException {
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (String node : nodes) {
      ports.put(node, LoopbackPort.free());
    }
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    Files.writeString(folder.resolve(SECRET), HexFormat.of().formatHex(secret));
    return new QuorumMembers(ports, folder);
  }

  /** The quorum section of a node's election configuration. */
  String settings(String node) {
    String addresses =
        ports.entrySet().stream()
            .map(member -> member.getKey() + " = \"127.0.0.1:" + member.getValue() + "\"")
            .collect(Collectors.joining(", "));
    return "quorum { self = %s, members { %s }, secret-file = \"%s\", data-dir = \"%s\" }"
        .formatted(node, addresses, folder.resolve(SECRET), folder.resolve("votes-of-" + node));
  }
}
