package io.portcullis.servers;

import java.io.IOException;
import java.util.List;

/** One way to run a Redis server. */
interface RunningRedis extends AutoCloseable {
  void start(List<String> lines) throws IOException;

  void startAgain() throws IOException;

  void kill();

  void pause();

  void resume();

  boolean isAlive();

  /** The end of what the server has logged. */
  String log();

  @Override
  void close();
}
