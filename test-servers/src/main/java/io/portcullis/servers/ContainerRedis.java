package io.portcullis.servers;

import io.portcullis.servers.ServerSource.ServerImage;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/** Runs Redis in a container. */
final class ContainerRedis extends ContainerServer {
  private static final String CONF = "/etc/redis.conf";

  ContainerRedis(int port) {
    super(port);
  }

  @Override
  GenericContainer<?> configured(List<String> lines) {
    List<String> settings = new ArrayList<>(lines);
    settings.add("bind 0.0.0.0");
    settings.add("port " + port());
    settings.add("protected-mode no");
    List<String> command = new ArrayList<>(List.of("redis-server", CONF));
    if (settings.remove("sentinel")) {
      command.add("--sentinel");
    }
    return new GenericContainer<>(ServerImage.REDIS.image())
        .withCopyToContainer(Transferable.of(String.join("\n", settings) + "\n"), CONF)
        .withCommand(command.toArray(new String[0]));
  }

  @Override
  public boolean isReady() {
    return RedisPing.isAnsweredAt(host(), port());
  }
}
