package io.portcullis.backend.quorum.disk;

import java.io.IOException;

/** A folder in which no ballot can be kept. The message is a sentence for the operator. */
public class UnusableFolderException extends IOException {
  private static final long serialVersionUID = 1L;

  UnusableFolderException(String sentence) {
    super(sentence);
  }

  UnusableFolderException(String sentence, IOException cause) {
    super(sentence, cause);
  }
}
