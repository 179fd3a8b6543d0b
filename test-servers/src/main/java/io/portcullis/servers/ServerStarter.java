package io.portcullis.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Starts a kind of server and waits until it responds.
 *
 * @param name the server's name in error messages
 * @param timeout maximum time for a start
 */
record ServerStarter(String name, Duration timeout) {
  private static final int MAX_ATTEMPTS = 5;

  <S extends ServerControl> S onFreePort(IntFunction<S> kind, List<String> lines) {
    IllegalStateException last = new IllegalStateException("no port was tried");
    for (int i = 0; i < MAX_ATTEMPTS; i++) { // A free port may be taken before the server binds it.
      S server = kind.apply(LoopbackPort.free());
      try {
        server.start(lines);
        awaitReady(server);
        return server;
      } catch (IllegalStateException e) {
        server.close();
        last = e;
      } catch (IOException e) {
        server.close();
        throw new UncheckedIOException(e);
      }
    }
    throw last;
  }

  /** Restarts the server on the same port; kills it first if it runs. */
  void restart(ServerControl server) {
    server.kill();
    try {
      server.startAgain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitReady(server);
  }

  private void awaitReady(ServerControl server) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!server.isReady()) {
      if (!server.isAlive()) {
        throw new IllegalStateException(name + " ended at its start: " + server.log());
      }
      if (deadline - System.nanoTime() < 0) {
        throw new IllegalStateException(
            "%s on port %d did not answer within %s: %s"
                .formatted(name, server.port(), timeout, server.log()));
      }
      LoopbackPort.pauseBriefly();
    }
  }
}
