package io.portcullis.backend.postgres;

import io.portcullis.servers.PostgresServer;

/** The same on the oldest server that is supported. */
class OldestGrantsTest extends PrivilegeCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
