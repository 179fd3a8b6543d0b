package io.portcullis.servers;

/** Controls a Postgres server. */
interface PostgresControl extends ServerControl {
  default PostgresAddress address() {
    return new PostgresAddress(host(), port());
  }

  void stop();

  void pauseBackend(int pid);

  void resumeBackend(int pid);
}
