package io.portcullis.backend.quorum.net;

import java.util.List;

/** The secrets of this node: the first seals what it sends as a dialler, each is accepted. */
final class Keyring {
  private final List<Secret> secrets;

  Keyring(List<String> secrets) {
    if (secrets.contains("")) {
      throw new IllegalArgumentException("a secret is empty");
    }
    this.secrets =
        secrets.isEmpty() ? List.of(Secret.NONE) : secrets.stream().map(Secret::of).toList();
  }

  Secret first() {
    return secrets.get(0);
  }

  boolean isSealing() {
    return sealLength() > 0;
  }

  int sealLength() {
    return first().sealLength();
  }

  /** The secret with which this frame was sealed. */
  Secret opening(byte[] context, Frame frame) throws Refused {
    for (Secret secret : secrets) {
      if (secret.fits(context, frame)) {
        return secret;
      }
    }
    throw new Refused(Refusal.SEAL, "none of our secrets opens it");
  }
}
