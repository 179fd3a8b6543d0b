package io.portcullis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.locks.LockSupport;

/** Free ports of the loopback address. */
final class LoopbackPort {
  private static final long BRIEFLY_NANOS = 10_000_000;

  /** Cluster nodes use the port ten thousand above their own too, so it must exist. */
  private static final int HIGHEST = 65_535 - 10_000;

  private LoopbackPort() {}

  static int free() {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (socket.getLocalPort() <= HIGHEST) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static void pauseBriefly() {
    LockSupport.parkNanos(BRIEFLY_NANOS);
  }
}
