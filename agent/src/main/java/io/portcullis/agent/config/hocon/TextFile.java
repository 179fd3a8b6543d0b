package io.portcullis.agent.config.hocon;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a whole UTF-8 file of limited size. */
final class TextFile {
  private TextFile() {}

  /**
   * Thrown when a file can't be read as text. The message is a predicate without a subject and
   * quotes no content of the file.
   */
  static final class UnreadableFileException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The line of the first invalid byte, or 0. */
    final int line;

    UnreadableFileException(String why, int line) {
      super(why);
      this.line = line;
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  static String read(Path file, int maxBytes) throws UnreadableFileException {
    if (Files.isDirectory(file)) {
      throw new UnreadableFileException("is a folder, not a file", 0);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new UnreadableFileException("is longer than " + maxBytes / 1024 + " KiB", 0);
      }
      return decode(bytes);
    } catch (NoSuchFileException e) {
      throw new UnreadableFileException("does not exist", 0);
    } catch (AccessDeniedException e) {
      throw new UnreadableFileException("is not readable for this process", 0);
    } catch (IOException e) {
      throw new UnreadableFileException("can't be read: " + e.getClass().getSimpleName(), 0);
    }
  }

  private static String decode(byte[] bytes) throws UnreadableFileException {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      int line = 1;
      for (int i = 0; i < in.position(); i++) {
        line += bytes[i] == '\n' ? 1 : 0;
      }
      throw new UnreadableFileException("is not UTF-8", line);
    }
    return out.flip().toString();
  }
}
