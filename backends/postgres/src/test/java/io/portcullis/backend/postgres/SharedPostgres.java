package io.portcullis.backend.postgres;

import io.portcullis.servers.PostgresServer;

/** One server for all tests that leave it as it is. */
public final class SharedPostgres {
  /** The server. */
  public static final PostgresServer SERVER = PostgresServer.start();

  private SharedPostgres() {}
}
