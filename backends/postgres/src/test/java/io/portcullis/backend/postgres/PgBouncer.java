package io.portcullis.backend.postgres;

import static org.awaitility.Awaitility.await;

import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real PgBouncer, where this machine has it. */
final class PgBouncer implements AutoCloseable {
  private final Process process;
  private final int port;

  private PgBouncer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static Optional<Path> binary() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)),
            Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static PgBouncer before(PostgresServer server, String mode, Path folder) throws IOException {
    int port = LoopbackPort.free();
    Path ini =
        Files.write(
            folder.resolve(mode + ".ini"),
            List.of(
                "[databases]",
                "postgres = host=127.0.0.1 user=postgres port=" + server.port(),
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = " + mode,
                "ignore_startup_parameters = extra_float_digits"));
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // It refuses to run as root.
    }
    command.addAll(List.of(binary().orElseThrow().toString(), ini.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(mode + ".log").toFile())
            .start();
    PgBouncer bouncer = new PgBouncer(process, port);
    await().atMost(Duration.ofSeconds(20)).until(bouncer::accepts);
    return bouncer;
  }

  private boolean accepts() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
