package io.portcullis.servers;

import java.util.List;

/** A running server that was supplied: it can be used, but not controlled. */
class ExternalServer implements ServerControl {
  private final String host;
  private final int port;

  ExternalServer(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    host = hostAndPort.substring(0, colon);
    port = Integer.parseInt(hostAndPort.substring(colon + 1));
  }

  @Override
  public final String host() {
    return host;
  }

  @Override
  public final int port() {
    return port;
  }

  @Override
  public final void start(List<String> lines) {
    throw refusal();
  }

  @Override
  public final void startAgain() {
    throw refusal();
  }

  @Override
  public final void kill() {
    throw refusal();
  }

  @Override
  public final void pause() {
    throw refusal();
  }

  @Override
  public final void resume() {
    throw refusal();
  }

  @Override
  public final boolean isAlive() {
    return true;
  }

  @Override
  public final boolean isReady() {
    return true;
  }

  @Override
  public final String log() {
    return "the server at " + host + ":" + port + " keeps its own log";
  }

  @Override
  public final void close() {
    // It is not ours to stop.
  }

  final UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "the server at " + host + ":" + port + " was supplied; check isControllable() first");
  }
}
