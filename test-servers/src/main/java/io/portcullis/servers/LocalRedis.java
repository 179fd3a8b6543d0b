package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/** A server as a process of this machine, in a folder of its own. */
final class LocalRedis implements RunningServer {
  private final int port;
  private final ExitTask atExit = new ExitTask("redis-end", this::endAndTidy);
  private final Path folder = Folders.create("redis");
  private final LogFile log = new LogFile(folder.resolve("redis.log"));
  private List<String> command = List.of();
  private @Nullable Process process;

  LocalRedis(int port) {
    this.port = port;
    atExit.register();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start(List<String> lines) throws IOException {
    List<String> settings = new ArrayList<>();
    settings.add("bind 127.0.0.1");
    settings.add("port " + port);
    settings.add("dir " + folder);
    settings.add("daemonize no");
    settings.addAll(lines);
    boolean sentinel = settings.remove("sentinel");
    Path file = Files.write(folder.resolve("redis.conf"), settings);
    command = new ArrayList<>(List.of(Binary.PATH.toString(), file.toString()));
    if (sentinel) {
      command.add("--sentinel");
    }
    startAgain();
  }

  @Override
  public void startAgain() throws IOException {
    process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.redirect())
            .start();
  }

  @Override
  public void kill() {
    end();
  }

  /** SIGKILL ends a stopped process too. */
  private void end() {
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
    return RedisPing.isAnsweredAt(host(), port);
  }

  @Override
  public String log() {
    return log.end();
  }

  private void endAndTidy() {
    end();
    Folders.delete(folder);
  }

  @Override
  public void close() {
    atExit.doNow();
  }

  /** The server's binary, unpacked once for all servers of this JVM. */
  private static final class Binary {
    static final Path PATH = unpacked();

    private static Path unpacked() {
      Path folder = Folders.create("redis-binary");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Folders.delete(folder)));
      try {
        return ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
      } catch (IOException e) {
        throw new IllegalStateException("no Redis binary for this machine", e);
      }
    }
  }
}
