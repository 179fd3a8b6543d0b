package io.portcullis.backend.quorum.net;

import org.jspecify.annotations.Nullable;

/**
 * Who speaks for a member at present.
 *
 * @param identity the identity of its process
 * @param address where its service can be reached, if it said so
 */
public record Peer(String identity, @Nullable String address) {}
