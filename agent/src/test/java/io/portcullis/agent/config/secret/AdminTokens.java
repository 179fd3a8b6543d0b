package io.portcullis.agent.config.secret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tokens for tests of those who ask for them. */
public final class AdminTokens {
  private AdminTokens() {}

  public static AdminToken inFile(Path folder, String token) {
    try {
      return AdminToken.in(Files.writeString(folder.resolve("token"), token + "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
