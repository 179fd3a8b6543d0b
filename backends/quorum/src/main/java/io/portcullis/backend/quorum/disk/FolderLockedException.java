package io.portcullis.backend.quorum.disk;

/** A folder that another member of this machine, or this process itself, has open. */
public final class FolderLockedException extends UnusableFolderException {
  private static final long serialVersionUID = 1L;

  FolderLockedException(String sentence) {
    super(sentence);
  }
}
