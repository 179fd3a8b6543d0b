package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server process on this machine, with its own folder, which is deleted with it. */
abstract class ServerProcess implements ServerControl {
  private final int port;
  private final CleanupHook atExit;
  private final Path folder;
  private final LogFile log;
  private List<String> command = List.of();
  private @Nullable Process process;

  ServerProcess(String name, int port) {
    this.port = port;
    this.atExit = new CleanupHook(name + "-end", this::endAndTidy);
    this.folder = TempFolders.create(name);
    this.log = new LogFile(folder.resolve(name + ".log"));
    atExit.register();
  }

  @Override
  public final int port() {
    return port;
  }

  final Path folder() {
    return folder;
  }

  /** Starts the server with this command, which also serves for restarts. */
  final void run(List<String> words) throws IOException {
    command = List.copyOf(words);
    startAgain();
  }

  @Override
  public final void startAgain() throws IOException {
    process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.redirect())
            .start();
  }

  /** Kills the process; SIGKILL ends a stopped process too. */
  @Override
  public final void kill() {
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
  public final void pause() {
    Signal.STOP.sendTo(pid());
  }

  @Override
  public final void resume() {
    Signal.CONT.sendTo(pid());
  }

  private long pid() {
    return Objects.requireNonNull(process, "not started").pid();
  }

  @Override
  public final boolean isAlive() {
    return process != null && process.isAlive();
  }

  @Override
  public final String log() {
    return log.end();
  }

  private void endAndTidy() {
    kill();
    TempFolders.delete(folder);
  }

  @Override
  public final void close() {
    atExit.runNow();
  }
}
