package io.portcullis.demo;

import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The store of the lease in one demo run: a server, or the nodes themselves.
 *
 * @param settings returns the backend section of the election's configuration for a node
 * @param end stops the server
 */
record DemoStore(StoreKind kind, UnaryOperator<String> settings, Runnable end)
    implements AutoCloseable {

  /**
   * Prepares the nodes, or starts a server from the binary inside a Maven artifact.
   *
   * @param folder for files of the nodes
   */
  static DemoStore start(StoreKind kind, List<String> nodes, Path folder) throws IOException {
    try {
      return switch (kind) {
        case QUORUM -> new DemoStore(kind, QuorumMembers.of(nodes, folder)::settings, () -> {});
        case REDIS -> redis();
        case POSTGRES -> postgres();
      };
    } catch (IllegalStateException | UncheckedIOException | ExceptionInInitializerError e) {
      throw new DemoFailureException(kind.label() + " did not start: " + reason(e));
    }
  }

  private static DemoStore redis() {
    RedisServer server = RedisServer.startLocal();
    String settings = "redis { uri = \"%s\" }".formatted(server.uri());
    return new DemoStore(StoreKind.REDIS, node -> settings, server::close);
  }

  private static DemoStore postgres() {
    PostgresServer server = PostgresServer.startLocal();
    String settings = "postgres { url = \"%s\", user = %s }".formatted(server.url(), server.user());
    return new DemoStore(StoreKind.POSTGRES, node -> settings, server::close);
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof ExceptionInInitializerError && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /** The backend section of the configuration of a node. */
  String settingsOf(String node) {
    return settings.apply(node);
  }

  @Override
  public void close() {
    end.run();
  }
}
