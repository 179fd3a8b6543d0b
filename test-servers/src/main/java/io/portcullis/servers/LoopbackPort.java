package io.portcullis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Allocates free ports of the loopback address. No port is allocated twice, neither in this JVM nor
 * in test JVMs that run at the same time: each keeps a lock on a file per port until it ends. The
 * ports lie below the range for outgoing connections: such a connection must not take a port before
 * the server listens on it, or while the server is down.
 */
public final class LoopbackPort {
  private static final long POLL_NANOS = 10_000_000;

  private static final int MIN_PORT = 12_000;

  /** Cluster nodes also use the port ten thousand above their own, so it must be free too. */
  private static final int PORT_BOUND = 32_000 - 10_000;

  private static final int MAX_ATTEMPTS = 1_000;
  private static final Path LOCK_FOLDER =
      Path.of(System.getProperty("java.io.tmpdir"), "portcullis-test-ports");

  /** Locked until the JVM ends, so never closed. */
  private static final Map<Integer, FileChannel> ALLOCATED = new HashMap<>();

  private LoopbackPort() {}

  /** Returns a port on which no process listens. */
  public static synchronized int free() {
    for (int tried = 0; tried < MAX_ATTEMPTS; tried++) {
      int port = ThreadLocalRandom.current().nextInt(MIN_PORT, PORT_BOUND);
      if (!ALLOCATED.containsKey(port) && isFree(port) && lock(port)) {
        return port;
      }
    }
    throw new IllegalStateException("No port is free from " + MIN_PORT + " to " + PORT_BOUND + ".");
  }

  private static boolean lock(int port) {
    try {
      Files.createDirectories(LOCK_FOLDER);
      FileChannel channel =
          FileChannel.open(
              LOCK_FOLDER.resolve(Integer.toString(port)),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        ALLOCATED.put(port, channel);
        return true;
      }
      channel.close();
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("can't lock port " + port + " in " + LOCK_FOLDER, e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) { // A copy of this class in another class loader.
      return false;
    }
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
