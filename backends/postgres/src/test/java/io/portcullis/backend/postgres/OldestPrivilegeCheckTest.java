package io.portcullis.backend.postgres;

import io.portcullis.servers.PostgresServer;

/** The same on the oldest server that is supported. */
class OldestPrivilegeCheckTest extends PrivilegeCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
