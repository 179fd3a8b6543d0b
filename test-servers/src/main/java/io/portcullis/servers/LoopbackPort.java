package io.portcullis.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Allocates free ports of the loopback address; this JVM uses none of them twice. They lie below
 * the range for outgoing connections: such a connection must not take a port before the server
 * listens on it, or while the server is down.
 */
public final class LoopbackPort {
  private static final long POLL_NANOS = 10_000_000;

  private static final int MIN_PORT = 12_000;

  /** Cluster nodes also use the port ten thousand above their own, so it must be free too. */
  private static final int PORT_BOUND = 32_000 - 10_000;

  private static final int MAX_ATTEMPTS = 1_000;
  private static final Set<Integer> ALLOCATED = ConcurrentHashMap.newKeySet();

  private LoopbackPort() {}

  /** Returns a port on which no process listens. */
  public static int free() {
    for (int tried = 0; tried < MAX_ATTEMPTS; tried++) {
      int port = ThreadLocalRandom.current().nextInt(MIN_PORT, PORT_BOUND);
      if (isFree(port) && ALLOCATED.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("No port is free from " + MIN_PORT + " to " + PORT_BOUND + ".");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  static void pauseBriefly() {
    LockSupport.parkNanos(POLL_NANOS);
  }
}
