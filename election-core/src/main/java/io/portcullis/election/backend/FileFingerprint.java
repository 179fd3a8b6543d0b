package io.portcullis.election.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Fingerprint of files (mtime, size, inode), used to detect changes without reading the content:
 * equal as long as none of the files was written, replaced or removed. Symbolic links are followed,
 * so a link with a new target is a change.
 *
 * @param text the attributes of each file in order
 */
public record FileFingerprint(String text) {

  /** Current fingerprint of these files. */
  public static FileFingerprint of(List<Path> paths) {
    StringBuilder found = new StringBuilder();
    for (Path path : paths) {
      try {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        found.append(file.lastModifiedTime()).append(' ').append(file.size());
        found.append(' ').append(file.fileKey());
      } catch (IOException e) {
        found.append("missing");
      }
      found.append(", ");
    }
    return new FileFingerprint(found.toString());
  }

  /** Combined fingerprint, equal to one of both lists of files together. */
  public FileFingerprint and(FileFingerprint others) {
    return new FileFingerprint(text + others.text);
  }
}
