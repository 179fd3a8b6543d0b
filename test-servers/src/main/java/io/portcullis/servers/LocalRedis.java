package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** Runs Redis as a process on this machine. */
final class LocalRedis extends ServerProcess {
  /** Command prefix before the server's own command. */
  private final List<String> prefix;

  LocalRedis(int port) {
    this(port, List.of());
  }

  private LocalRedis(int port, List<String> prefix) {
    super("redis", port);
    this.prefix = prefix;
  }

  /** Creates a server whose wall clock is set by libfaketime; its monotonic clock is not. */
  static LocalRedis withClock(int port, Path library, Path clock) {
    return new LocalRedis(
        port,
        List.of(
            "env",
            "LD_PRELOAD=" + library,
            "FAKETIME_TIMESTAMP_FILE=" + clock,
            "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1",
            "FAKETIME_FORCE_MONOTONIC_FIX=0"));
  }

  @Override
  public void start(List<String> lines) throws IOException {
    List<String> settings = new ArrayList<>();
    settings.add("bind 127.0.0.1");
    settings.add("port " + port());
    settings.add("dir " + folder());
    settings.add("daemonize no");
    settings.addAll(lines);
    boolean sentinel = settings.remove("sentinel");
    Path file = Files.write(folder().resolve("redis.conf"), settings);
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of(Binary.PATH.toString(), file.toString()));
    if (sentinel) {
      command.add("--sentinel");
    }
    run(command);
  }

  @Override
  public boolean isReady() {
    return RedisPing.isAnsweredAt(host(), port());
  }

  /** The server's binary, extracted once for all servers of this JVM. */
  private static final class Binary {
    static final Path PATH = unpacked();

    private static Path unpacked() {
      Path folder = TempFolders.create("redis-binary");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> TempFolders.delete(folder)));
      try {
        return ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
      } catch (IOException e) {
        throw new IllegalStateException("no Redis binary for this machine", e);
      }
    }
  }
}
