package io.portcullis.servers;

import java.io.IOException;
import java.util.List;

/** One way to run a server on a port that was chosen for it. */
interface ServerControl extends AutoCloseable {
  default String host() {
    return "127.0.0.1";
  }

  int port();

  void start(List<String> lines) throws IOException;

  void startAgain() throws IOException;

  void kill();

  void pause();

  void resume();

  boolean isAlive();

  /** Whether it answers on its port. */
  boolean isReady();

  /** The end of what the server has logged. */
  String log();

  @Override
  void close();
}
