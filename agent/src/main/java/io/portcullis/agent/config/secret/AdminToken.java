package io.portcullis.agent.config.secret;

import io.portcullis.election.backend.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The token that authorizes admin commands. A token in a file is read at each use, since admin
 * commands are rare and the file is small. A new token is therefore valid as soon as it is in the
 * file, and the old one becomes invalid at the same moment.
 */
public final class AdminToken {
  /** A random token of letters and digits with this length can't be guessed. */
  static final int MIN_LENGTH = 16;

  private static final int MAX_LENGTH = 4096;
  private static final Pattern VISIBLE = Pattern.compile("[!-~]*");

  @FunctionalInterface
  private interface Source {
    String read() throws IOException;
  }

  private final Source source;

  private AdminToken(Source source) {
    this.source = source;
  }

  /** Returns a token that never changes. */
  public static AdminToken of(String token) {
    return new AdminToken(() -> token);
  }

  /** Returns a token that is read from the file at each use. */
  public static AdminToken in(Path file) {
    return new AdminToken(() -> SecretFile.read(file));
  }

  /** Why a string is not a valid token; empty if it is valid. Does not quote the string. */
  public static Optional<String> problem(String token) {
    if (token.length() < MIN_LENGTH) {
      return Optional.of(
          "the token is shorter than "
              + MIN_LENGTH
              + " characters; use a random one, such as the output of openssl rand -hex 32");
    }
    return token.length() > MAX_LENGTH || !VISIBLE.matcher(token).matches()
        ? Optional.of(
            "the token must be one line of visible ASCII characters without spaces, at most "
                + MAX_LENGTH)
        : Optional.empty();
  }

  /** The token itself, for clients that send it; empty if it can't be read. */
  public Optional<String> value() {
    try {
      return Optional.of(source.read());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether the presented string is the token. Compares in constant time.
   *
   * @throws IOException if the file can't be read or contains no valid token; the message is the
   *     reason
   */
  public boolean is(String presented) throws IOException {
    String token = source.read();
    Optional<String> problem = problem(token);
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
    return MessageDigest.isEqual(hash(token), hash(presented));
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK provides SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return SecretRedaction.STARS;
  }
}
