package io.portcullis.agent.node;

import java.util.List;

/**
 * Whether a fence covers the connections that it should.
 *
 * @param unused whether this node has led for a while and the fence covered no connection
 * @param unfencedDrivers artifact names of drivers in this JVM that can't be fenced
 */
public record FenceCoverage(boolean unused, List<String> unfencedDrivers) {
  /** No unfenced connection is known. */
  public static final FenceCoverage NO_GAP = new FenceCoverage(false, List.of());
}
