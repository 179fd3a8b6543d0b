package io.portcullis.servers;

/** One way to run a Postgres server. */
interface PostgresControl extends ServerControl {
  default PostgresAddress address() {
    return new PostgresAddress(host(), port());
  }

  void stop();

  void pauseBackend(int pid);

  void resumeBackend(int pid);
}
