package io.portcullis.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param type the content type
 * @param more additional headers
 */
record HttpResponse(int status, String type, String body, Map<String, String> more) {

  static HttpResponse json(int status, String body) {
    return new HttpResponse(status, "application/json", body, Map.of());
  }

  static HttpResponse metrics(String body) {
    return new HttpResponse(200, "text/plain; version=0.0.4; charset=utf-8", body, Map.of());
  }

  static HttpResponse notAllowed(String allowed) {
    return new HttpResponse(
        405,
        "application/json",
        StatusJson.error("This path accepts only " + allowed + "."),
        Map.of("Allow", allowed));
  }

  static HttpResponse error(int status, String message) {
    return json(status, StatusJson.error(message));
  }

  /** Returns a copy with one more header. */
  HttpResponse with(String header, String value) {
    Map<String, String> all = new LinkedHashMap<>(more);
    all.put(header, value);
    return new HttpResponse(status, type, body, all);
  }

  /**
   * Encodes the response.
   *
   * @param headOnly whether the body is omitted; Content-Length is sent anyway
   * @param last whether the connection is closed after it
   */
  byte[] bytes(boolean headOnly, boolean last) {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(reason());
    header(head, "Content-Type", type);
    header(head, "Content-Length", Integer.toString(content.length));
    header(head, "Cache-Control", "no-store");
    more.forEach((name, value) -> header(head, name, value));
    if (last) {
      header(head, "Connection", "close");
    }
    byte[] start = head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    if (headOnly) {
      return start;
    }
    byte[] all = Arrays.copyOf(start, start.length + content.length);
    System.arraycopy(content, 0, all, start.length, content.length);
    return all;
  }

  private static void header(StringBuilder head, String name, String value) {
    head.append("\r\n").append(name).append(": ").append(value);
  }

  /** Reason phrase of the status line. */
  private String reason() {
    return switch (status) {
      case 200 -> "OK";
      case 202 -> "Accepted";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 411 -> "Length Required";
      case 413 -> "Content Too Large";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      case 505 -> "HTTP Version Not Supported";
      default -> "Status " + status;
    };
  }
}
