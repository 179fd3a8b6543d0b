package io.portcullis.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

/** A server in a container, on a fixed port of the loopback address. */
abstract class ContainerServer implements ServerControl {
  private final int port;
  private @Nullable GenericContainer<?> container;

  ContainerServer(int port) {
    this.port = port;
  }

  /** Creates a container whose server listens on the port, on all addresses of the container. */
  abstract GenericContainer<?> configured(List<String> lines);

  @Override
  public final int port() {
    return port;
  }

  @Override
  public final void start(List<String> lines) {
    container =
        configured(lines)
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
  public final void startAgain() {
    docker().startContainerCmd(id()).exec();
  }

  /** Kills the first process of the container, which ends all others. */
  @Override
  public final void kill() {
    if (isAlive()) {
      docker().killContainerCmd(id()).exec();
    }
  }

  @Override
  public final void pause() {
    docker().pauseContainerCmd(id()).exec();
  }

  @Override
  public final void resume() {
    docker().unpauseContainerCmd(id()).exec();
  }

  @Override
  public final boolean isAlive() {
    return Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getRunning());
  }

  @Override
  public final String log() {
    return started().getLogs();
  }

  @Override
  public final void close() {
    if (container != null) {
      container.stop();
    }
  }

  final DockerClient docker() {
    return started().getDockerClient();
  }

  final String id() {
    return started().getContainerId();
  }

  final GenericContainer<?> started() {
    return Objects.requireNonNull(container, "not started");
  }
}
