package io.portcullis.backend.quorum.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says in words why the file system refused; many of its exceptions name a file and no reason. */
final class IoErrorText {
  private IoErrorText() {}

  static String of(IOException refusal) {
    if (refusal instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (refusal instanceof FileAlreadyExistsException || refusal instanceof NotDirectoryException) {
      return "there is something in its way that is no folder";
    }
    if (refusal instanceof NoSuchFileException) {
      return "it is not there any more";
    }
    String words =
        refusal instanceof FileSystemException known ? known.getReason() : refusal.getMessage();
    return words == null || words.isBlank() ? refusal.getClass().getSimpleName() : words;
  }
}
