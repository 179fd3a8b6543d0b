package io.portcullis.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Checks whether a Redis server responds. */
final class RedisPing {
  private static final int TIMEOUT_MILLIS = 1000;

  private RedisPing() {}

  /** True also if a password is required: such a response shows that the server is up. */
  static boolean isAnsweredAt(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
      String reply = new String(socket.getInputStream().readNBytes(5), US_ASCII);
      return reply.equals("+PONG") || reply.equals("-NOAU");
    } catch (IOException e) {
      return false;
    }
  }
}
