package io.portcullis.servers;

import io.portcullis.servers.ServerSource.ServerImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;

/** A Postgres server in a container. */
final class ContainerPostgres extends ContainerServer implements PostgresControl {
  private static final String CONF = "/etc/portcullis.conf";

  ContainerPostgres(int port) {
    super(port);
  }

  @Override
  GenericContainer<?> configured(List<String> lines) {
    return new GenericContainer<>(ServerImage.POSTGRES.image())
        .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
        .withCopyToContainer(Transferable.of(String.join("\n", settings(lines)) + "\n"), CONF)
        .withCommand("postgres", "-c", "config_file=" + CONF);
  }

  /** Lines of the postgresql.conf in the container. */
  List<String> settings(List<String> lines) {
    List<String> settings = new ArrayList<>();
    settings.add("listen_addresses = '*'");
    settings.add("port = " + port());
    settings.addAll(lines);
    return settings;
  }

  /** The image asks Docker for the signal of a fast shutdown. */
  @Override
  public void stop() {
    docker().stopContainerCmd(id()).exec();
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

  /** No other can answer: Docker refuses to start a container on a port that is taken. */
  @Override
  public boolean isReady() {
    return address().isAnswering();
  }
}
