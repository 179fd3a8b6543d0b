package io.portcullis.it.quorum;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where a member runs.
 *
 * @param host its address
 * @param port where the others reach it
 * @param command what must stand in front of its own command for it to run there
 */
record Place(String host, int port, List<String> command) {
  /**
   * Below those that systems give to connections, so that nobody takes one while a member is down.
   */
  private static final int LOWEST_PORT = 15_000;

  private static final int HIGHEST_PORT = 32_000;

  static Place onLoopback() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
      if (isFree(port)) {
        return new Place("127.0.0.1", port, List.of());
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  String address() {
    return host + ":" + port;
  }
}
