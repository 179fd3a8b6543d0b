package io.portcullis.servers;

/** A running Postgres server that was supplied. */
final class ExternalPostgres extends ExternalServer implements PostgresControl {
  ExternalPostgres(String hostAndPort) {
    super(hostAndPort);
  }

  @Override
  public void stop() {
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
}
