package com.acme.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Stores transfers in an append-only file, one line of JSON per transfer. Several processes may
 * share the file: each line is a single write to a channel in append mode, so lines are never
 * mixed.
 */
final class FileTransferStore implements TransferStore {
  private final Path file;
  private final FileChannel channel;

  FileTransferStore(Path file) {
    this.file = file;
    try {
      this.channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new StoreException("can't open the journal " + file, e);
    }
  }

  @Override
  public void append(Transfer transfer) {
    try {
      ByteBuffer line =
          ByteBuffer.wrap(
              (LedgerJson.MAPPER.writeValueAsString(transfer) + "\n")
                  .getBytes(StandardCharsets.UTF_8));
      channel.write(line);
      if (line.hasRemaining()) {
        // Another process may have appended before a second write, so the rest is not written.
        throw new IOException("only a part of the line was written; is the disk full?");
      }
      channel.force(false);
    } catch (IOException e) {
      throw new StoreException("can't append to the journal", e);
    }
  }

  @Override
  public List<Transfer> after(long skipped, int limit) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.skip(skipped).limit(limit).map(FileTransferStore::parse).toList();
    } catch (IOException | UncheckedIOException e) {
      throw new StoreException("can't read the journal", e);
    }
  }

  @Override
  public long count() {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException | UncheckedIOException e) {
      throw new StoreException("can't read the journal", e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("can't close the journal", e);
    }
  }

  private static Transfer parse(String line) {
    try {
      return LedgerJson.MAPPER.readValue(line, Transfer.class);
    } catch (IOException e) {
      throw new StoreException("a line of the journal is not a transfer", e);
    }
  }
}
