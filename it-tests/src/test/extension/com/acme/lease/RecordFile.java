package com.acme.lease;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Properties;

/** A lease record in a file that is replaced atomically, and is on the disk afterwards. */
final class RecordFile {
  private final Path file;
  private final Path draft;

  RecordFile(Path file) {
    this.file = file;
    this.draft = file.resolveSibling(file.getFileName() + ".draft");
  }

  LeaseRecord read() throws IOException {
    Properties read = new Properties();
    try {
      read.load(new StringReader(Files.readString(file)));
    } catch (NoSuchFileException e) {
      return LeaseRecord.none("");
    }
    RecordVersion recordVersion =
        new RecordVersion(
            read.getProperty("incarnation"),
            read.getProperty("holder"),
            Long.parseLong(read.getProperty("epoch")),
            read.getProperty("version"));
    Duration lease = Duration.ofMillis(Long.parseLong(read.getProperty("lease_ms")));
    boolean released = read.getProperty("released").equals("true");
    return new LeaseRecord(recordVersion, read.getProperty("address"), lease, lease, released);
  }

  void write(LeaseRecord record) throws IOException {
    Properties written = new Properties();
    written.setProperty("incarnation", record.recordVersion().incarnation());
    written.setProperty("holder", record.holder());
    written.setProperty("epoch", Long.toString(record.epoch()));
    written.setProperty("version", record.recordVersion().version());
    written.setProperty("lease_ms", Long.toString(record.lease().toMillis()));
    written.setProperty("released", Boolean.toString(record.released()));
    if (record.address() != null) {
      written.setProperty("address", record.address());
    }
    StringWriter text = new StringWriter();
    written.store(text, null);
    try (FileChannel out =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      folder.force(true); // Otherwise a crash could restore the previous record.
    }
  }
}
