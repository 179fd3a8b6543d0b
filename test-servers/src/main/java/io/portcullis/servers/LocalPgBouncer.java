package io.portcullis.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs PgBouncer as a process on this machine. */
final class LocalPgBouncer extends ServerProcess {
  private final PostgresServer server;

  LocalPgBouncer(int port, PostgresServer server) {
    super("pgbouncer", port);
    this.server = server;
  }

  @Override
  public void start(List<String> lines) throws IOException {
    List<String> settings = new ArrayList<>();
    settings.add("[databases]");
    settings.add(
        "* = host=%s port=%d user=%s".formatted(server.host(), server.port(), server.user()));
    settings.add("[pgbouncer]");
    settings.add("listen_addr = 127.0.0.1");
    settings.add("listen_port = " + port());
    settings.add("unix_socket_dir =");
    settings.add("auth_type = any");
    settings.add("ignore_startup_parameters = extra_float_digits");
    settings.addAll(lines);
    Path file = Files.write(folder().resolve("pgbouncer.ini"), settings);
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // It refuses to run as root.
    }
    command.add(PgBouncer.binary().orElseThrow().toString());
    command.add(file.toString());
    run(command);
  }

  @Override
  public boolean isReady() {
    try (Socket socket = new Socket(host(), port())) {
      return socket.isConnected() && isAlive();
    } catch (IOException e) {
      return false;
    }
  }
}
