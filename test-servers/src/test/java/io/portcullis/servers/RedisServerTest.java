package io.portcullis.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class RedisServerTest {
  @Test
  void killedServerLosesAllData() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assumeTrue(server.isControllable());
      assertThat(say(server, "SET a 1")).isEqualTo("+OK");

      server.restart();

      assertThat(say(server, "GET a")).isEqualTo("$-1");
    }
  }

  @Test
  void persistentServerKeepsItsDataAndPort() throws Exception {
    try (RedisServer server = RedisServer.start("--appendonly yes", "appendfsync always")) {
      assumeTrue(server.isControllable());
      int port = server.port();
      assertThat(say(server, "SET a 1")).isEqualTo("+OK");

      server.kill();
      assertThatThrownBy(() -> say(server, "PING")).isInstanceOf(IOException.class);
      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(say(server, "GET a")).isEqualTo("$1");
    }
  }

  @Test
  void pausedServerKeepsConnectionsWithoutResponding() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assumeTrue(server.isControllable());

      server.pause();
      assertThatThrownBy(() -> say(server, "PING")).isInstanceOf(SocketTimeoutException.class);
      server.resume();

      assertThat(say(server, "PING")).isEqualTo("+PONG");
    }
  }

  @Test
  void closedServerLeavesNoListener() throws Exception {
    RedisServer server = RedisServer.startLocal();

    server.close();

    assertThatThrownBy(() -> say(server, "PING")).isInstanceOf(IOException.class);
  }

  private static String say(RedisServer server, String command) throws IOException {
    try (Socket socket = new Socket(server.host(), server.port())) {
      socket.setSoTimeout(1500);
      socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
      String reply =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      if (reply == null) {
        throw new IOException("connection closed");
      }
      return reply;
    }
  }
}
