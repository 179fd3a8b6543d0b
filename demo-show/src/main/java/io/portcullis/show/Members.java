package io.portcullis.show;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The nodes as members of a quorum, who keep the lease among themselves.
 *
 * @param ports where each listens on the loopback address, for all its lives
 * @param folder holds the secret that they share, and a folder with the votes of each
 */
record Members(Map<String, Integer> ports, Path folder) {
  private static final String SECRET = "secret";
  private static final int SECRET_BYTES = 16;

  /**
   * Below the ports that systems give to outgoing connections: such a one must not take the port of
   * a member while that is down.
   */
  private static final int LOWEST_PORT = 20_000;

  private static final int HIGHEST_PORT = 32_000;
  private static final int PORTS_TRIED = 100;

  /** Gives each node a port, and all of them a secret. */
  static Members of(List<String> nodes, Path folder) throws IOException {
    SecureRandom random = new SecureRandom();
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (String node : nodes) {
      ports.put(node, freePort(ports, random));
    }
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    Files.writeString(folder.resolve(SECRET), HexFormat.of().formatHex(secret));
    return new Members(ports, folder);
  }

  /** How one of them takes part, as part of an election's configuration. */
  String settings(String node) {
    String addresses =
        ports.entrySet().stream()
            .map(member -> member.getKey() + " = \"127.0.0.1:" + member.getValue() + "\"")
            .collect(Collectors.joining(", "));
    return "quorum { self = %s, members { %s }, secret-file = \"%s\", data-dir = \"%s\" }"
        .formatted(node, addresses, folder.resolve(SECRET), folder.resolve("votes-of-" + node));
  }

  private static int freePort(Map<String, Integer> taken, RandomGenerator random) {
    for (int tried = 0; tried < PORTS_TRIED; tried++) {
      int port = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
      if (!taken.containsValue(port) && isFree(port)) {
        return port;
      }
    }
    throw new CannotRun("No port is free from " + LOWEST_PORT + " to " + HIGHEST_PORT + ".");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
