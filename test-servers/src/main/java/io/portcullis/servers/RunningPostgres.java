package io.portcullis.servers;

import java.io.IOException;
import java.util.List;

/** One way to run a Postgres server. */
interface RunningPostgres extends AutoCloseable {
  void start(List<String> lines) throws IOException;

  void startAgain() throws IOException;

  void kill();

  void stop();

  void pause();

  void resume();

  void pauseBackend(int pid);

  void resumeBackend(int pid);

  boolean isAlive();

  /** Whether it is this server that listens on the port, and not one that was there before. */
  boolean isListening();

  /** The end of what the server has logged. */
  String log();

  @Override
  void close();
}
