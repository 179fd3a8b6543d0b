package io.portcullis.servers.kubernetes;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Server side of one HTTP 1.1 connection. */
final class Http1Connection implements Closeable {
  private static final int MAX_LINE_BYTES = 64 * 1024;
  private static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  Http1Connection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Reads the next request; null if the client has closed the connection. */
  @Nullable ServerRequest read() throws IOException {
    String first = line();
    if (first == null) {
      return null;
    }
    String[] words = first.split(" ", -1);
    if (words.length != 3) {
      throw new IOException("no request: " + first);
    }
    Map<String, String> headers = new HashMap<>();
    for (String line = someLine(); !line.isEmpty(); line = someLine()) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("no header: " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return new ServerRequest(words[0], words[1], headers, body(headers));
  }

  private String body(Map<String, String> headers) throws IOException {
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int size = chunkSize(); size > 0; size = chunkSize()) {
        all.write(bytes(size));
        bounded(all.size());
        someLine();
      }
      String trailer = someLine();
      while (!trailer.isEmpty()) {
        trailer = someLine();
      }
      return all.toString(StandardCharsets.UTF_8);
    }
    int length = bounded(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    return new String(bytes(length), StandardCharsets.UTF_8);
  }

  private int chunkSize() throws IOException {
    return bounded(Integer.parseInt(someLine().split(";", 2)[0].trim(), 16));
  }

  private static int bounded(int size) throws IOException {
    if (size < 0 || size > MAX_BODY_BYTES) {
      throw new IOException("a body of " + size + " bytes is too large");
    }
    return size;
  }

  /** Reads exactly this many bytes. */
  byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }

  /** Reads one byte; -1 if the client has closed the connection. */
  int next() throws IOException {
    return in.read();
  }

  private String someLine() throws IOException {
    String line = line();
    if (line == null) {
      throw new EOFException();
    }
    return line;
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      if (line.size() > MAX_LINE_BYTES) {
        throw new IOException("a line is too long");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  void write(ServerResponse reply) throws IOException {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.code() + " -\r\n");
    head.append("Content-Type: ").append(reply.type()).append("\r\n");
    head.append("Content-Length: ").append(body.length).append("\r\n");
    if (!reply.retryAfter().isZero()) {
      head.append("Retry-After: ").append(reply.retryAfter().toSeconds()).append("\r\n");
    }
    if (!reply.location().isEmpty()) {
      head.append("Location: ").append(reply.location()).append("\r\n");
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    send(all);
  }

  /** Sends the head of a response with a chunked body. */
  void beginEndless() throws IOException {
    send("HTTP/1.1 200 -\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  }

  void sendChunk(String text) throws IOException {
    send(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  synchronized void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
