package io.portcullis.election.machine;

import org.jspecify.annotations.Nullable;

/**
 * Somebody known to lead.
 *
 * @param identity who
 * @param address where it can be reached, if it said so
 * @param epoch under which epoch
 */
public record Leader(String identity, @Nullable String address, long epoch) {}
