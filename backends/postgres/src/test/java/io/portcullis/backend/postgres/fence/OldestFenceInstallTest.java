package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.OldestPostgres;
import io.portcullis.servers.PostgresServer;

/** The same on the oldest server that is supported. */
class OldestFenceInstallTest extends FenceInstallTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
