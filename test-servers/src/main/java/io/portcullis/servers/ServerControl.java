package io.portcullis.servers;

import java.io.IOException;
import java.util.List;

/** Controls a server that runs on a given port. */
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

  /** Whether the server responds on its port. */
  boolean isReady();

  /** The end of the server's log. */
  String log();

  @Override
  void close();
}
