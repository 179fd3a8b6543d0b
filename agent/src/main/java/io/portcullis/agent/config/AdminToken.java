package io.portcullis.agent.config;

import io.portcullis.election.backend.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What whoever gives orders must show. One in a file is read at each use, since orders are rare and
 * the file is small: so a new token holds as soon as it is there, and an old one no longer.
 */
public final class AdminToken {
  /** Random letters and digits of this length can't be guessed. */
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

  /** One that never changes. */
  static AdminToken of(String token) {
    return new AdminToken(() -> token);
  }

  /** One that is what the file says. */
  static AdminToken in(Path file) {
    return new AdminToken(() -> SecretFile.read(file));
  }

  /** What keeps a text from being a token, if anything. Does not quote it. */
  static Optional<String> flaw(String token) {
    if (token.length() < MIN_LENGTH) {
      return Optional.of(
          "the token is shorter than "
              + MIN_LENGTH
              + " characters; take a random one, such as openssl rand -hex 32 prints");
    }
    return token.length() > MAX_LENGTH || !VISIBLE.matcher(token).matches()
        ? Optional.of(
            "the token must be one line of visible ASCII characters without spaces, at most "
                + MAX_LENGTH)
        : Optional.empty();
  }

  /** The token itself, for whoever shows it to a node; empty if it can't be read. */
  public Optional<String> shown() {
    try {
      return Optional.of(source.read());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether this is it. Takes equally long for whatever is shown.
   *
   * @throws IOException if it can't be known, since the file is not as it should be; says why
   */
  public boolean is(String shown) throws IOException {
    String token = source.read();
    Optional<String> flaw = flaw(token);
    if (flaw.isPresent()) {
      throw new IOException(flaw.get());
    }
    return MessageDigest.isEqual(hash(token), hash(shown));
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return SecretRedaction.STARS;
  }
}
