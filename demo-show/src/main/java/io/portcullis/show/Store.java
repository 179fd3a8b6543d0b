package io.portcullis.show;

import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.UncheckedIOException;

/**
 * The server that keeps the lease of one show.
 *
 * @param settings how the agent reaches it, as part of an election's configuration
 */
record Store(StoreKind kind, String settings, Runnable end) implements AutoCloseable {

  /** Starts a server from the binary inside a Maven artifact. */
  static Store start(StoreKind kind) {
    try {
      return switch (kind) {
        case REDIS -> redis();
        case POSTGRES -> postgres();
      };
    } catch (IllegalStateException | UncheckedIOException | ExceptionInInitializerError e) {
      throw new CannotRun(kind.label() + " did not start: " + reason(e));
    }
  }

  private static Store redis() {
    RedisServer server = RedisServer.startLocal();
    String settings = "redis { uri = \"%s\" }".formatted(server.uri());
    return new Store(StoreKind.REDIS, settings, server::close);
  }

  private static Store postgres() {
    PostgresServer server = PostgresServer.startLocal();
    String settings = "postgres { url = \"%s\", user = %s }".formatted(server.url(), server.user());
    return new Store(StoreKind.POSTGRES, settings, server::close);
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof ExceptionInInitializerError && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  @Override
  public void close() {
    end.run();
  }
}
