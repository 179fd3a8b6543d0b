package io.portcullis.backend.quorum.network;

import java.util.List;

/** The secrets of this node: the first seals what it sends as a dialler, each is accepted. */
final class Keyring {
  private final List<ClusterSecret> secrets;

  Keyring(List<String> secrets) {
    if (secrets.contains("")) {
      throw new IllegalArgumentException("a secret is empty");
    }
    this.secrets =
        secrets.isEmpty()
            ? List.of(ClusterSecret.NONE)
            : secrets.stream().map(ClusterSecret::of).toList();
  }

  ClusterSecret first() {
    return secrets.get(0);
  }

  boolean isSealing() {
    return sealLength() > 0;
  }

  int sealLength() {
    return first().sealLength();
  }

  /** The secret with which this frame was sealed. */
  ClusterSecret opening(byte[] context, Frame frame) throws RejectedException {
    for (ClusterSecret secret : secrets) {
      if (secret.fits(context, frame)) {
        return secret;
      }
    }
    throw new RejectedException(RejectReason.SEAL, "none of our secrets opens it");
  }
}
