package io.portcullis.agent.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses HTTP/1.1 requests from one connection, strictly. It refuses ambiguous input, so that a
 * proxy in front of it can't disagree about where a request ends (request smuggling).
 */
final class HttpRequestParser {
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
  private static final Pattern TARGET = Pattern.compile("/[!-~]*");
  private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern SPACE = Pattern.compile(" ");

  /** Headers that must not be repeated. */
  private static final Set<String> SINGLE =
      Set.of("host", "content-length", "transfer-encoding", "authorization");

  private final InputStream in;
  private final String from;
  private int headBytes;

  /**
   * @param in the connection's input, buffered
   * @param from the client's address
   */
  HttpRequestParser(InputStream in, String from) {
    this.in = in;
    this.from = from;
  }

  /** Reads the next request; null if the client closed the connection before it. */
  @Nullable HttpRequest next() throws IOException, BadRequestException {
    headBytes = 0;
    String first = firstLine();
    if (first == null) {
      return null;
    }
    String[] parts = SPACE.split(first, -1);
    if (parts.length != 3 || !TOKEN.matcher(parts[0]).matches()) {
      throw new BadRequestException(400, "The first line must be like GET /healthz HTTP/1.1.");
    }
    boolean old = parts[2].equals("HTTP/1.0");
    if (!old && !parts[2].equals("HTTP/1.1")) {
      throw new BadRequestException(505, "Unsupported HTTP version; use HTTP/1.1.");
    }
    if (!TARGET.matcher(parts[1]).matches()) {
      throw new BadRequestException(400, "The path must begin with a slash.");
    }
    Map<String, String> headers = headers();
    if (!old && !headers.containsKey("host")) {
      throw new BadRequestException(400, "HTTP/1.1 requires a Host header.");
    }
    String body = body(headers);
    return new HttpRequest(
        parts[0], parts[1], Map.copyOf(headers), body, old || wantsClose(headers), from);
  }

  private static boolean wantsClose(Map<String, String> headers) {
    return headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT).contains("close");
  }

  /** Skips one empty line, since old clients send one after a body. */
  private @Nullable String firstLine() throws IOException, BadRequestException {
    String line = line(true);
    return line != null && line.isEmpty() ? line(true) : line;
  }

  private Map<String, String> headers() throws IOException, BadRequestException {
    Map<String, String> headers = new HashMap<>();
    for (String line = requireLine(); !line.isEmpty(); line = requireLine()) {
      int colon = line.indexOf(':');
      String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1);
      if (!TOKEN.matcher(name).matches() || !VALUE.matcher(value).matches()) {
        throw new BadRequestException(400, "A header must be like Name: value, on one line.");
      }
      String before = headers.put(name, value.strip());
      if (before != null && SINGLE.contains(name)) {
        throw new BadRequestException(400, "The header " + name + " is repeated; send it once.");
      }
    }
    return headers;
  }

  private String body(Map<String, String> headers) throws IOException, BadRequestException {
    if (headers.containsKey("transfer-encoding")) {
      throw new BadRequestException(411, "Send the body with its Content-Length, not in chunks.");
    }
    String length = headers.getOrDefault("content-length", "0");
    if (!LENGTH.matcher(length).matches()) {
      throw new BadRequestException(400, "Content-Length must be a whole number.");
    }
    long bytes = Long.parseLong(length);
    if (bytes > HttpLimits.MAX_BODY_BYTES) {
      throw new BadRequestException(
          413, "The body may have " + HttpLimits.MAX_BODY_BYTES + " bytes at most.");
    }
    byte[] body = in.readNBytes((int) bytes);
    if (body.length < bytes) {
      throw new EOFException("the connection ended in the middle of a body");
    }
    return HttpRequest.text(body);
  }

  private String requireLine() throws IOException, BadRequestException {
    String line = line(false);
    if (line == null) {
      throw new EOFException("the connection ended in the middle of a request");
    }
    return line;
  }

  /** Reads up to the next CRLF; null if the connection ends first and {@code mayEnd} is true. */
  private @Nullable String line(boolean mayEnd) throws IOException, BadRequestException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(64);
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (++headBytes > HttpLimits.MAX_HEAD_BYTES) {
        throw new BadRequestException(
            431, "The headers may have " + HttpLimits.MAX_HEAD_BYTES + " bytes at most.");
      }
      if (next == '\n') {
        throw new BadRequestException(400, "A line must end with CR LF.");
      }
      if (next == '\r') {
        if (in.read() != '\n') {
          throw new BadRequestException(400, "A line must end with CR LF.");
        }
        return line.toString(StandardCharsets.ISO_8859_1);
      }
      line.write(next);
    }
    if (mayEnd && line.size() == 0) {
      return null;
    }
    throw new EOFException("the connection ended in the middle of a line");
  }

  /** Thrown for a request that is malformed or too large. The rest of its connection is ignored. */
  static final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    BadRequestException(int status, String why) {
      super(why, null, false, false);
      this.status = status;
    }

    HttpResponse toResponse() {
      return HttpResponse.json(status, StatusJson.error(String.valueOf(getMessage())));
    }
  }
}
