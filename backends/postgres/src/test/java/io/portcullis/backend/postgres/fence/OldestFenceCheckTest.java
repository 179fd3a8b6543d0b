package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.OldestPostgres;
import io.portcullis.servers.PostgresServer;

/** The same tests on the oldest supported server. */
class OldestFenceCheckTest extends FenceCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
