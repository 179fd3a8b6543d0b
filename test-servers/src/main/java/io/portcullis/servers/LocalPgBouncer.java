package io.portcullis.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** PgBouncer as a process of this machine, in a folder of its own. */
final class LocalPgBouncer implements RunningServer {
  private final int port;
  private final PostgresServer server;
  private final ExitTask atExit = new ExitTask("pgbouncer-end", this::endAndTidy);
  private final Path folder = Folders.create("pgbouncer");
  private final LogFile log = new LogFile(folder.resolve("pgbouncer.log"));
  private @Nullable Process process;

  LocalPgBouncer(int port, PostgresServer server) {
    this.port = port;
    this.server = server;
    atExit.register();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start(List<String> lines) throws IOException {
    List<String> settings = new ArrayList<>();
    settings.add("[databases]");
    settings.add(
        "* = host=%s port=%d user=%s".formatted(server.host(), server.port(), server.user()));
    settings.add("[pgbouncer]");
    settings.add("listen_addr = 127.0.0.1");
    settings.add("listen_port = " + port);
    settings.add("unix_socket_dir =");
    settings.add("auth_type = any");
    settings.add("ignore_startup_parameters = extra_float_digits");
    settings.addAll(lines);
    Files.write(folder.resolve("pgbouncer.ini"), settings);
    startAgain();
  }

  @Override
  public void startAgain() throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // It refuses to run as root.
    }
    command.add(PgBouncer.binary().orElseThrow().toString());
    command.add(folder.resolve("pgbouncer.ini").toString());
    process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.redirect())
            .start();
  }

  @Override
  public void kill() {
    Process ending = process;
    if (ending == null) {
      return;
    }
    ending.destroyForcibly();
    try {
      ending.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void pause() {
    Signal.STOP.sendTo(pid());
  }

  @Override
  public void resume() {
    Signal.CONT.sendTo(pid());
  }

  private long pid() {
    return Objects.requireNonNull(process, "not started").pid();
  }

  @Override
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  @Override
  public boolean isReady() {
    try (Socket socket = new Socket(host(), port)) {
      return socket.isConnected() && isAlive();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String log() {
    return log.end();
  }

  private void endAndTidy() {
    kill();
    Folders.delete(folder);
  }

  @Override
  public void close() {
    atExit.doNow();
  }
}
