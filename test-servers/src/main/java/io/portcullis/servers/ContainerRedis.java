package io.portcullis.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** A server in a container, on a fixed port of the loopback address. */
final class ContainerRedis implements RunningRedis {
  private static final DockerImageName IMAGE = DockerImageName.parse("redis:7.2-alpine");
  private static final String CONF = "/etc/redis.conf";

  private final int port;
  private @Nullable GenericContainer<?> container;

  ContainerRedis(int port) {
    this.port = port;
  }

  @Override
  public void start(List<String> lines) {
    List<String> settings = new ArrayList<>(lines);
    settings.add("bind 0.0.0.0");
    settings.add("port " + port);
    settings.add("protected-mode no");
    List<String> command = new ArrayList<>(List.of("redis-server", CONF));
    if (settings.remove("sentinel")) {
      command.add("--sentinel");
    }
    container =
        new GenericContainer<>(IMAGE)
            .withCopyToContainer(Transferable.of(String.join("\n", settings) + "\n"), CONF)
            .withCommand(command.toArray(new String[0]))
            .withExposedPorts(port)
            .withCreateContainerCmdModifier(
                create ->
                    create.withHostConfig(
                        Objects.requireNonNullElseGet(create.getHostConfig(), HostConfig::new)
                            .withPortBindings(
                                PortBinding.parse("127.0.0.1:" + port + ":" + port))));
    container.start();
  }

  @Override
  public void startAgain() {
    docker().startContainerCmd(id()).exec();
  }

  @Override
  public void kill() {
    if (isAlive()) {
      docker().killContainerCmd(id()).exec();
    }
  }

  @Override
  public void pause() {
    docker().pauseContainerCmd(id()).exec();
  }

  @Override
  public void resume() {
    docker().unpauseContainerCmd(id()).exec();
  }

  @Override
  public boolean isAlive() {
    return Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getRunning());
  }

  @Override
  public String log() {
    return started().getLogs();
  }

  @Override
  public void close() {
    if (container != null) {
      container.stop();
    }
  }

  private DockerClient docker() {
    return started().getDockerClient();
  }

  private String id() {
    return started().getContainerId();
  }

  private GenericContainer<?> started() {
    return Objects.requireNonNull(container, "not started");
  }
}
