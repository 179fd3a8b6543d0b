package io.portcullis.agent.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** An HTTP client that sends raw bytes, so that it can also send invalid requests. */
final class RawHttpClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;

  RawHttpClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  record RawResponse(List<String> head, String body) {
    String statusLine() {
      return head.get(0);
    }

    int status() {
      return Integer.parseInt(statusLine().split(" ", 3)[1]);
    }

    String header(String name) {
      return head.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).trim())
          .findFirst()
          .orElse("");
    }
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  RawResponse answer() throws IOException {
    RawResponse head = answerWithoutBody();
    byte[] body = in().readNBytes(Integer.parseInt(head.header("content-length")));
    return new RawResponse(head.head(), new String(body, StandardCharsets.UTF_8));
  }

  RawResponse answerWithoutBody() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in().read();
      if (next < 0) {
        throw new EOFException("the connection ended after: " + head);
      }
      head.write(next);
    }
    return new RawResponse(head.toString(StandardCharsets.US_ASCII).lines().toList(), "");
  }

  /** Waits until the server closes the connection; false if it responds instead. */
  boolean isCutOff() throws IOException {
    try {
      return in().read() < 0;
    } catch (SocketException e) { // Reset, since the server had not read everything.
      return true;
    }
  }

  boolean isCutOffBySending(String text) throws IOException {
    try {
      send(text);
    } catch (SocketException e) {
      return true;
    }
    return isCutOff();
  }

  private InputStream in() throws IOException {
    return socket.getInputStream();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
