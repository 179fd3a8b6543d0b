package io.portcullis.election.backend;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secret that is the content of a file, read at each use: secrets are small and needed rarely.
 * While the file can't be read, briefly during its replacement or permanently, the last valid value
 * stays in use, and the problem is logged once.
 */
public final class SecretFile implements Secret {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");
  private static final int MAX_BYTES = 64 * 1024;

  private final Path file;
  private final Consumer<String> onValue;
  private String last;
  private @Nullable String warning;

  private SecretFile(Path file, Consumer<String> onValue, String first) {
    this.file = file;
    this.onValue = onValue;
    this.last = first;
  }

  /**
   * Reads the secret for the first time.
   *
   * @param onValue receives each value, so that it can be redacted everywhere
   * @throws IOException if it can't be read, see {@link #read}
   */
  public static SecretFile open(Path file, Consumer<String> onValue) throws IOException {
    String first = read(file);
    onValue.accept(first);
    return new SecretFile(file, onValue, first);
  }

  /**
   * The file's content without its last line break.
   *
   * @throws IOException with a sentence that names the file and quotes no content
   */
  public static String read(Path file) throws IOException {
    String secret = content(file).replaceFirst("\\r?\\n\\z", "");
    if (secret.isEmpty()) {
      throw new IOException("the file " + shown(file) + " is empty; write the secret into it");
    }
    return secret;
  }

  private static String content(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw unreadable(file, "is a folder, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw unreadable(file, "is longer than " + MAX_BYTES / 1024 + " KiB");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw unreadable(file, "does not exist");
    } catch (AccessDeniedException e) {
      throw unreadable(file, "is not readable for this process");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "is not UTF-8");
    }
  }

  private static IOException unreadable(Path file, String why) {
    return new IOException(
        "the file " + shown(file) + " " + why + "; name a file that contains only the secret");
  }

  /** The absolute path, since the reader of a message may not know the working folder. */
  private static Path shown(Path file) {
    return file.toAbsolutePath().normalize();
  }

  @Override
  public synchronized String current() {
    try {
      String now = read(file);
      if (!now.equals(last)) {
        onValue.accept(now);
        last = now;
        LOG.info("portcullis loaded the changed secret from {}", file.normalize());
      }
      warning = null;
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(warning)) {
        warning = why;
        LOG.warn("portcullis keeps using the last valid secret: {}", why);
      }
    }
    return last;
  }

  /** Does not contain the secret. */
  @Override
  public String toString() {
    return "***";
  }
}
