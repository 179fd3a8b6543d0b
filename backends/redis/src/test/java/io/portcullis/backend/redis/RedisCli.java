package io.portcullis.backend.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.servers.RedisServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Sends one command on one connection, as an operator would with redis-cli. */
final class RedisCli {
  private RedisCli() {}

  /** The response as text; an error reply begins with a minus, nil is "(nil)". */
  static String command(RedisServer server, String... words) {
    return command(server.port(), words);
  }

  static String command(int port, String... words) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(5000);
      StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) {
        request.append('$').append(word.getBytes(UTF_8).length).append("\r\n");
        request.append(word).append("\r\n");
      }
      socket.getOutputStream().write(request.toString().getBytes(UTF_8));
      return read(new DataInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(DataInputStream in) throws IOException {
    String line = line(in);
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '$' -> rest.equals("-1") ? "(nil)" : bulk(in, Integer.parseInt(rest));
      case '*' -> list(in, Integer.parseInt(rest));
      case '-' -> line;
      default -> rest;
    };
  }

  private static String list(DataInputStream in, int size) throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      all.add(read(in));
    }
    return String.join("\n", all);
  }

  private static String bulk(DataInputStream in, int length) throws IOException {
    String text = new String(in.readNBytes(length), UTF_8);
    in.readNBytes(2);
    return text;
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new IOException("connection closed");
      }
      line.append((char) c);
    }
    in.read();
    return line.toString();
  }
}
