package io.portcullis.backend.postgres;

import io.portcullis.servers.PostgresServer;

/** The same tests on the oldest supported server. */
class OldestPrivilegeCheckTest extends PrivilegeCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
