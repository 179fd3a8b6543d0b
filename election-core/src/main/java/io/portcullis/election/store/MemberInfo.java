package io.portcullis.election.store;

import org.jspecify.annotations.Nullable;

/**
 * One of the nodes that a store knows by name, for people; nothing is decided by it.
 *
 * @param name its name in the configuration
 * @param address where the others reach it
 * @param identity the process that speaks for it at present, null if none is heard
 * @param self whether it is this node
 */
public record MemberInfo(String name, String address, @Nullable String identity, boolean self) {

  /** Whether this node hears it. */
  public boolean isReachable() {
    return identity != null;
  }
}
