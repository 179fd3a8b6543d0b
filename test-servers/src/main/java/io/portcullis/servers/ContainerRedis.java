package io.portcullis.servers;

import io.portcullis.servers.ServerSource.ServerImage;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/** A Redis server in a container. */
final class ContainerRedis extends ContainerServer {
  private static final String CONF = "/etc/redis.conf";
  private static final String SENTINEL = "sentinel";

  ContainerRedis(int port) {
    super(port);
  }

  @Override
  GenericContainer<?> configured(List<String> lines) {
    List<String> command = new ArrayList<>(List.of("redis-server", CONF));
    if (lines.contains(SENTINEL)) {
      command.add("--sentinel");
    }
    return new GenericContainer<>(ServerImage.REDIS.image())
        .withCopyToContainer(Transferable.of(String.join("\n", settings(lines)) + "\n"), CONF)
        .withCommand(command.toArray(new String[0]));
  }

  /** Lines of the redis.conf in the container. */
  List<String> settings(List<String> lines) {
    List<String> settings = new ArrayList<>(lines);
    settings.remove(SENTINEL);
    settings.add("bind 0.0.0.0");
    settings.add("port " + port());
    settings.add("protected-mode no");
    return settings;
  }

  @Override
  public boolean isReady() {
    return RedisPing.isAnsweredAt(host(), port());
  }
}
