package io.portcullis.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.portcullis.servers.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;

/** Sends one command to a Redis server. */
public final class RedisCommand {
  private RedisCommand() {}

  /** The first line of the response, or its second if the first is only a length. */
  public static String run(RedisServer redis, String command) throws IOException {
    try (Socket socket = new Socket(redis.host(), redis.port());
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
      String line = reader.readLine();
      if (line == null || line.startsWith("-")) {
        throw new IOException(command + " returned " + line);
      }
      return line.startsWith("$") && !line.equals("$-1") ? reader.readLine() : line;
    }
  }
}
