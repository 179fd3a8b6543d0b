package io.portcullis.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** A server in a container, on a fixed port of the loopback address. */
final class ContainerPostgres implements RunningPostgres {
  private static final DockerImageName IMAGE = DockerImageName.parse("postgres:17-alpine");
  private static final String CONF = "/etc/portcullis.conf";

  private final int port;
  private @Nullable GenericContainer<?> container;

  ContainerPostgres(int port) {
    this.port = port;
  }

  @Override
  public void start(List<String> lines) {
    List<String> settings = new ArrayList<>();
    settings.add("listen_addresses = '*'");
    settings.add("port = " + port);
    settings.addAll(lines);
    container =
        new GenericContainer<>(IMAGE)
            .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
            .withCopyToContainer(Transferable.of(String.join("\n", settings) + "\n"), CONF)
            .withCommand("postgres", "-c", "config_file=" + CONF)
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

  /** The first process of a container takes all others with it. */
  @Override
  public void kill() {
    if (isAlive()) {
      docker().killContainerCmd(id()).exec();
    }
  }

  /** The image asks Docker for the signal of a fast shutdown. */
  @Override
  public void stop() {
    docker().stopContainerCmd(id()).exec();
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
  public void pauseBackend(int pid) {
    send(Signal.STOP, pid);
  }

  @Override
  public void resumeBackend(int pid) {
    send(Signal.CONT, pid);
  }

  /** From within, since a backend knows its number in the container only. */
  private void send(Signal signal, int pid) {
    try {
      ExecResult result = started().execInContainer("kill", "-" + signal, Integer.toString(pid));
      if (result.getExitCode() != 0) {
        throw new IllegalStateException("kill -" + signal + " " + pid + ": " + result.getStderr());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public boolean isAlive() {
    return Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getRunning());
  }

  /** Docker refuses to start a container on a port that is taken. */
  @Override
  public boolean isListening() {
    return true;
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
