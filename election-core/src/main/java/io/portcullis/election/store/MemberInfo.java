package io.portcullis.election.store;

import org.jspecify.annotations.Nullable;

/**
 * A node that the store knows by name, for display; decisions do not depend on it.
 *
 * @param name its name in the configuration
 * @param address where the other members reach it
 * @param identity the process that currently acts as this member, null if none is connected
 * @param self whether it is this node
 */
public record MemberInfo(String name, String address, @Nullable String identity, boolean self) {

  /** Whether this node has a connection to it. */
  public boolean isReachable() {
    return identity != null;
  }
}
