package io.portcullis.demo;

import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What keeps the lease of one show: a server, or the nodes themselves.
 *
 * @param settings how the agent of a node reaches it, as part of an election's configuration
 */
record DemoStore(StoreKind kind, UnaryOperator<String> settings, Runnable end)
    implements AutoCloseable {

  /**
   * Prepares the nodes, or starts a server from the binary inside a Maven artifact.
   *
   * @param folder for what the nodes have to keep
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

  /** How the agent of this node reaches it. */
  String settingsOf(String node) {
    return settings.apply(node);
  }

  @Override
  public void close() {
    end.run();
  }
}
