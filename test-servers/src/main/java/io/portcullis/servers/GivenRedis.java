package io.portcullis.servers;

import java.util.List;

/** A server that somebody else runs: it can be used, not controlled. */
record GivenRedis(String address) implements RunningRedis {
  @Override
  public void start(List<String> lines) {
    throw refusal();
  }

  @Override
  public void startAgain() {
    throw refusal();
  }

  @Override
  public void kill() {
    throw refusal();
  }

  @Override
  public void pause() {
    throw refusal();
  }

  @Override
  public void resume() {
    throw refusal();
  }

  @Override
  public boolean isAlive() {
    return true;
  }

  @Override
  public String log() {
    return "the server at " + address + " keeps its own log";
  }

  @Override
  public void close() {
    // It belongs to somebody else.
  }

  private UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "the server at " + address + " was given; ask isControllable() first");
  }
}
