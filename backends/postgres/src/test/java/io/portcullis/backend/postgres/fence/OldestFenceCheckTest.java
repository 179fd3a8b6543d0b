package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.OldestPostgres;
import io.portcullis.servers.PostgresServer;

/** The same on the oldest server that is supported. */
class OldestFenceCheckTest extends FenceCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
