package io.portcullis.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/**
 * Serves the HTML status page, a single file that renders {@code /api/status}. Its Content Security
 * Policy allows only the script and style inside this file, so that a node name can't inject code.
 */
final class StatusPage {
  private static final String FILE = "status.html";

  private StatusPage() {}

  /** Reads the file per request, since most nodes never serve the page. */
  static HttpResponse response() {
    String html = read();
    return new HttpResponse(
        200,
        "text/html; charset=utf-8",
        html,
        Map.of(
            "Content-Security-Policy",
            "default-src 'none'; connect-src 'self'; img-src data:; script-src "
                + hash(between(html, "<script>", "</script>"))
                + "; style-src "
                + hash(between(html, "<style>", "</style>"))
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer"));
  }

  private static String read() {
    try (InputStream in = StatusPage.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("the agent's jar has no " + FILE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String between(String text, String start, String end) {
    int from = text.indexOf(start) + start.length();
    return text.substring(from, text.indexOf(end, from));
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
