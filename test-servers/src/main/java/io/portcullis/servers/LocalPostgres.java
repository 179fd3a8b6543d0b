package io.portcullis.servers;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A Postgres server as processes on this machine, with its own folder. */
final class LocalPostgres implements PostgresControl {
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(2);

  private final int port;
  private final PostgresTemplate version;
  private final DataDirectorySource source;
  private final CleanupHook atExit = new CleanupHook("postgres-end", this::endAndTidy);
  private final Path folder = TempFolders.create("postgres");
  private final Path data = folder.resolve("data");
  private final LogFile log = new LogFile(folder.resolve("postgres.log"));
  private volatile @Nullable Process postmaster;
  private volatile boolean closed;

  LocalPostgres(int port, PostgresTemplate version, DataDirectorySource source) {
    this.port = port;
    this.version = version;
    this.source = source;
    try {
      atExit.register();
    } catch (IllegalStateException e) { // The JVM is ending.
      TempFolders.delete(folder);
      throw e;
    }
  }

  /** Source of a server's initial files. */
  interface DataDirectorySource {
    void copyTo(Path data) throws IOException;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start(List<String> lines) throws IOException {
    source.copyTo(data);
    List<String> settings = new ArrayList<>();
    settings.add("listen_addresses = '127.0.0.1'");
    settings.add("port = " + port);
    settings.add("unix_socket_directories = ''");
    // Other kinds of shared memory would outlive a killed server.
    settings.add("dynamic_shared_memory_type = mmap");
    settings.addAll(lines);
    Files.write(data.resolve("postgresql.conf"), settings, APPEND);
    startAgain();
  }

  @Override
  public void startAgain() throws IOException {
    postmaster =
        new ProcessBuilder(version.command("-D", data.toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.redirect())
            .start();
    if (closed) {
      kill(); // The JVM began to end meanwhile, and the hook has not seen the process.
    }
  }

  Path data() {
    return data;
  }

  PostgresTemplate version() {
    return version;
  }

  /**
   * Kills all processes. The postmaster is paused first: then it can neither start a process unseen
   * nor notice the end of one.
   */
  @Override
  public void kill() {
    if (!isAlive() || !Signal.STOP.trySendTo(List.of(started().pid()))) {
      return;
    }
    ProcessHandle first = started().toHandle();
    await(() -> ProcessState.isStopped(first), "the postmaster withstands SIGSTOP");
    List<ProcessHandle> all = new ArrayList<>(first.descendants().toList());
    all.add(first);
    all.forEach(ProcessHandle::destroyForcibly);
    awaitEnd();
    await(() -> all.stream().allMatch(ProcessState::isGone), "processes withstand SIGKILL: " + all);
  }

  private static void await(BooleanSupplier condition, String otherwise) {
    long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (deadline - System.nanoTime() < 0) {
        throw new IllegalStateException(otherwise);
      }
      LoopbackPort.pauseBriefly();
    }
  }

  @Override
  public void stop() {
    if (isAlive()) {
      Signal.INT.sendTo(pid());
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try {
      if (!started().waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("Postgres does not end: " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Pauses all processes, the postmaster first, so that it starts no process unseen. */
  @Override
  public void pause() {
    Signal.STOP.sendTo(pid());
    Signal.STOP.trySendTo(children());
  }

  @Override
  public void resume() {
    Signal.CONT.trySendTo(children());
    Signal.CONT.sendTo(pid());
  }

  /**
   * Process id of the postmaster; only while the server runs, since the id of an ended process may
   * have been reused.
   */
  private long pid() {
    if (!isAlive()) {
      throw new IllegalStateException("Postgres does not run: " + log());
    }
    return started().pid();
  }

  private List<Long> children() {
    return started().descendants().map(ProcessHandle::pid).toList();
  }

  @Override
  public void pauseBackend(int pid) {
    Signal.STOP.sendTo(backend(pid));
  }

  @Override
  public void resumeBackend(int pid) {
    Signal.CONT.sendTo(backend(pid));
  }

  private long backend(int pid) {
    if (!children().contains((long) pid)) {
      throw new IllegalArgumentException("no process of this server: " + pid);
    }
    return pid;
  }

  @Override
  public boolean isAlive() {
    Process process = postmaster;
    return process != null && process.isAlive();
  }

  /** Whether this server responds, and not one that used the port before. */
  @Override
  public boolean isReady() {
    return PostmasterPidFile.in(data).isReadyAs(started().pid()) && address().isAnswering();
  }

  @Override
  public String log() {
    return log.end();
  }

  private Process started() {
    return Objects.requireNonNull(postmaster, "not started");
  }

  private void endAndTidy() {
    closed = true;
    kill();
    PostmasterPidFile.in(data).removeSharedMemory();
    TempFolders.delete(folder);
  }

  @Override
  public void close() {
    atExit.runNow();
  }
}
