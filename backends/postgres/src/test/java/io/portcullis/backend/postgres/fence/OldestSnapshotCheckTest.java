package io.portcullis.backend.postgres.fence;

import io.portcullis.backend.postgres.OldestPostgres;
import io.portcullis.servers.PostgresServer;
import org.junit.jupiter.api.Tag;

/** The same tests on the oldest supported server. */
@Tag("slow")
class OldestSnapshotCheckTest extends SnapshotCheckTest {
  @Override
  PostgresServer server() {
    return OldestPostgres.server();
  }
}
