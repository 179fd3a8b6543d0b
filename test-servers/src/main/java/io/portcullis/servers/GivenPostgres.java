package io.portcullis.servers;

import java.util.List;

/** A server that somebody else runs: it can be used, not controlled. */
record GivenPostgres(String address) implements RunningPostgres {
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
  public void stop() {
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
  public void pauseBackend(int pid) {
    throw refusal();
  }

  @Override
  public void resumeBackend(int pid) {
    throw refusal();
  }

  @Override
  public boolean isAlive() {
    return true;
  }

  @Override
  public boolean isListening() {
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
