package io.portcullis.benchmarks.quorum;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Finds free ports. They lie below the range that the system uses for outgoing connections: the
 * connection of one member must not take the port of another that does not listen yet.
 */
final class Ports {
  private static final int MIN_VALUE = 12_000;
  private static final int MAX_VALUE = 32_000;
  private static final int MAX_TRIALS = 10_000;

  private Ports() {}

  static List<Integer> free(int count) {
    Iterator<Integer> candidates =
        RandomGenerator.getDefault().ints(MAX_TRIALS, MIN_VALUE, MAX_VALUE).boxed().iterator();
    Set<Integer> found = new LinkedHashSet<>();
    while (found.size() < count) {
      if (!candidates.hasNext()) {
        throw new MeasurementException("There are too few free ports.");
      }
      int port = candidates.next();
      if (isFree(port)) {
        found.add(port);
      }
    }
    return List.copyOf(found);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
