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
final class LocalRedis implements RunningRedis {
  private static final int LOG_SHOWN = 2000;

  private final int port;
  private final Thread atExit = new Thread(this::endAndTidy, "redis-end");
  private final Path folder = Folders.create("redis");
  private List<String> command = List.of();
  private @Nullable Process process;

  LocalRedis(int port) {
    this.port = port;
    Runtime.getRuntime().addShutdownHook(atExit);
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
            .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
            .start();
  }

  private Path logFile() {
    return folder.resolve("redis.log");
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
    signal("-STOP");
  }

  @Override
  public void resume() {
    signal("-CONT");
  }

  private void signal(String signal) {
    long pid = Objects.requireNonNull(process, "not started").pid();
    try {
      Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill " + signal + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new IllegalStateException("this machine has no kill command", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  @Override
  public String log() {
    try {
      String log = Files.readString(logFile());
      return log.substring(Math.max(0, log.length() - LOG_SHOWN));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  private void endAndTidy() {
    end();
    Folders.delete(folder);
  }

  @Override
  public void close() {
    endAndTidy();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The JVM is ending: the hook has nothing left to do.
    }
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
