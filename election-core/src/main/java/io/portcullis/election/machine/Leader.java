package io.portcullis.election.machine;

import org.jspecify.annotations.Nullable;

/**
 * A node known to lead.
 *
 * @param identity the node's identity
 * @param address where it can be reached, null if it advertises no address
 * @param epoch the epoch under which it leads
 */
public record Leader(String identity, @Nullable String address, long epoch) {}
