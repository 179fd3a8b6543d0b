package io.portcullis.backend.quorum.network;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The process that currently runs as a member.
 *
 * @param identity the identity of the process
 * @param address where its service can be reached, null if it did not report one
 */
public record PeerProcess(String identity, @Nullable String address) {

  /** Creates a process without its address if that is too long for a frame. */
  public static PeerProcess of(String identity, @Nullable String address) {
    boolean fits =
        address != null
            && address.getBytes(StandardCharsets.UTF_8).length <= NetworkLimits.MAX_NAME_BYTES;
    return new PeerProcess(identity, fits ? address : null);
  }
}
