package io.portcullis.backend.quorum.disk;

import java.io.IOException;
import java.nio.file.Path;

/** The three steps by which a file is replaced so that a crash leaves the old one or the new. */
interface FileReplacer {

  /** Writes a file anew and returns once its content is on the disk. */
  void write(Path file, byte[] content) throws IOException;

  /** Gives a file the name of another one, which is gone in the same instant. */
  void rename(Path from, Path to) throws IOException;

  /** Returns once the names in this folder are on the disk. */
  void sync(Path folder) throws IOException;
}
