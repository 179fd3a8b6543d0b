package io.portcullis.backend.quorum.network;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Who speaks for a member at present.
 *
 * @param identity the identity of its process
 * @param address where its service can be reached, if it said so
 */
public record PeerProcess(String identity, @Nullable String address) {

  /** The same without an address that is too long to be told. */
  public static PeerProcess of(String identity, @Nullable String address) {
    boolean fits =
        address != null
            && address.getBytes(StandardCharsets.UTF_8).length <= NetworkLimits.MAX_NAME_BYTES;
    return new PeerProcess(identity, fits ? address : null);
  }
}
