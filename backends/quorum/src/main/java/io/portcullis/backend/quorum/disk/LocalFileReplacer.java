package io.portcullis.backend.quorum.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk of this machine. */
final class LocalFileReplacer implements FileReplacer {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** Windows opens no folder as a file, and so has no way to wait for its names. */
  private static final boolean CAN_SYNC_FOLDERS = File.separatorChar == '/';

  private static final AtomicBoolean SAID = new AtomicBoolean();

  @Override
  public void write(Path file, byte[] content) throws IOException {
    try (FileChannel out = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, ATOMIC_MOVE, REPLACE_EXISTING);
  }

  @Override
  public void sync(Path folder) throws IOException {
    if (CAN_SYNC_FOLDERS) {
      try (FileChannel names = FileChannel.open(folder, READ)) {
        names.force(true);
      }
    } else if (!SAID.getAndSet(true)) {
      LOG.warn(
          "portcullis this platform can't wait for a folder to reach the disk: a power failure right"
              + " after a vote may bring back the ballot before it in {}",
          folder);
    }
  }
}
