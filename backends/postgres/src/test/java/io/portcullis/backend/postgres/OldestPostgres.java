package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.servers.PostgresServer;
import java.nio.file.Path;

/** A server of the oldest supported version, for all tests that leave it as it is. */
public final class OldestPostgres {
  private OldestPostgres() {}

  /** The server. Without its binaries, the test is skipped with a message. */
  public static PostgresServer server() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "The oldest Postgres was not tried: there are binaries of it for Linux on amd64 only.");
    assertThat(ServerHolder.SERVER.query("SHOW server_version")).startsWith("12.");
    return ServerHolder.SERVER;
  }

  private static final class ServerHolder {
    static final PostgresServer SERVER =
        PostgresServer.startOf(Path.of("target", "servers", "oldest-postgres.jar"));
  }
}
