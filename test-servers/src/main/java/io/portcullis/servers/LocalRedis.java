package io.portcullis.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** Redis as a process of this machine. */
final class LocalRedis extends ServerProcess {
  LocalRedis(int port) {
    super("redis", port);
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
    List<String> command = new ArrayList<>(List.of(Binary.PATH.toString(), file.toString()));
    if (sentinel) {
      command.add("--sentinel");
    }
    run(command);
  }

  @Override
  public boolean isReady() {
    return RedisPing.isAnsweredAt(host(), port());
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
