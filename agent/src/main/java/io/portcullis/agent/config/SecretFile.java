package io.portcullis.agent.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads a secret from the file that holds it. */
final class SecretFile {
  private static final int MAX_BYTES = 64 * 1024;

  private SecretFile() {}

  /**
   * The file's content without its last line break.
   *
   * @param folder what a relative name starts from
   */
  static String read(Path folder, String name) throws InvalidValueException {
    Path file;
    try {
      file = folder.resolve(name);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("this is no path of a file");
    }
    return read(file);
  }

  /** The same of a file that is known. */
  static String read(Path file) throws InvalidValueException {
    String secret;
    try {
      secret = TextFile.read(file, MAX_BYTES).replaceFirst("\\r?\\n\\z", "");
    } catch (TextFile.Unreadable e) {
      throw new InvalidValueException(
          "the file "
              + file.normalize()
              + " "
              + e.why()
              + "; name one that holds the secret alone");
    }
    if (secret.isEmpty()) {
      throw new InvalidValueException(
          "the file " + file.normalize() + " is empty; put the secret into it");
    }
    return secret;
  }
}
