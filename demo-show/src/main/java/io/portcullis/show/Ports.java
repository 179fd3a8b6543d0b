package io.portcullis.show;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The ports of one show, none of them given twice. They lie below those that systems give to
 * outgoing connections: such a one must not take a port before its JVM listens, or while a member
 * of a quorum is down.
 */
final class Ports {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int MOST_TRIED = 100;

  private final RandomGenerator random = new SecureRandom();
  private final Set<Integer> given = new HashSet<>();

  /** One that nobody listens on. */
  int next() {
    for (int tried = 0; tried < MOST_TRIED; tried++) {
      int port = random.nextInt(LOWEST, HIGHEST);
      if (!given.contains(port) && isFree(port)) {
        given.add(port);
        return port;
      }
    }
    throw new CannotRun("No port is free from " + LOWEST + " to " + HIGHEST + ".");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
