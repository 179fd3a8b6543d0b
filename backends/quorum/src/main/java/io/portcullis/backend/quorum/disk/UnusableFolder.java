package io.portcullis.backend.quorum.disk;

import java.io.IOException;

/** A folder in which no ballot can be kept. The message is a sentence for the operator. */
public class UnusableFolder extends IOException {
  private static final long serialVersionUID = 1L;

  UnusableFolder(String sentence) {
    super(sentence);
  }

  UnusableFolder(String sentence, IOException cause) {
    super(sentence, cause);
  }
}
