package io.portcullis.backend.quorum.disk;

import java.io.IOException;

/**
 * There is a ballot, and it can't be relied on. Whoever gets this knows nothing of its votes and
 * promises and must not act as if there were none. The message says why, and what to do.
 */
public final class CorruptVoteFileException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptVoteFileException(String sentence) {
    super(sentence);
  }
}
