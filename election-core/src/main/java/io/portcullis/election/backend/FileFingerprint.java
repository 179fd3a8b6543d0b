package io.portcullis.election.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * How files stand, without what is in them: equal as long as none of them was written, replaced or
 * removed. Links are followed, so one that leads elsewhere is a change.
 *
 * @param text what was found of each
 */
public record FileFingerprint(String text) {

  /** How these stand now. */
  public static FileFingerprint of(List<Path> paths) {
    StringBuilder stand = new StringBuilder();
    for (Path path : paths) {
      try {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        stand.append(file.lastModifiedTime()).append(' ').append(file.size());
        stand.append(' ').append(file.fileKey());
      } catch (IOException e) {
        stand.append("missing");
      }
      stand.append(", ");
    }
    return new FileFingerprint(stand.toString());
  }

  /** How these and others stand, as if they had been looked at together. */
  public FileFingerprint and(FileFingerprint others) {
    return new FileFingerprint(text + others.text);
  }
}
