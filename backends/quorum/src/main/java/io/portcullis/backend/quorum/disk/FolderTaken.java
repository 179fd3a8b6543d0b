package io.portcullis.backend.quorum.disk;

/** A folder that another member of this machine, or this process itself, has open. */
public final class FolderTaken extends UnusableFolder {
  private static final long serialVersionUID = 1L;

  FolderTaken(String sentence) {
    super(sentence);
  }
}
