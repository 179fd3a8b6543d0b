package io.portcullis.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private final WriteAttemptLog attempts = new WriteAttemptLog();

  @Test
  void statusCodeDeterminesTheOutcome() throws Exception {
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(201, -1)))
        .isEqualTo(WriteOutcome.ACCEPTED);
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(503, -1)))
        .isEqualTo(WriteOutcome.REFUSED);
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(500, -1)))
        .isEqualTo(WriteOutcome.FAILED);
  }

  @Test
  void deadConnectionLeavesTheWriteUnanswered() throws Exception {
    AtomicInteger requests = new AtomicInteger();

    WriteOutcome outcome = outcomeOf(exchange -> requests.incrementAndGet());

    assertThat(outcome).isEqualTo(WriteOutcome.UNANSWERED);
    assertThat(attempts.list()).hasSize(requests.get());
  }

  @Test
  void closedPortIsUnreachable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    LoadGenerator.start("a", URI.create("http://127.0.0.1:" + port), attempts).stop();

    assertThat(attempts.list())
        .first()
        .extracting(WriteAttempt::outcome)
        .isEqualTo(WriteOutcome.UNREACHABLE);
  }

  @Test
  void firstWriteAcceptedElsewhereEndsATakeover() {
    WriteAttempt found = new WriteAttempt("b-3", "b", WriteOutcome.ACCEPTED, 30);
    attempts.add(new WriteAttempt("b-1", "b", WriteOutcome.ACCEPTED, 10));
    attempts.add(new WriteAttempt("a-1", "a", WriteOutcome.ACCEPTED, 25));
    attempts.add(new WriteAttempt("b-2", "b", WriteOutcome.REFUSED, 26));
    attempts.add(found);
    attempts.add(new WriteAttempt("c-1", "c", WriteOutcome.ACCEPTED, 40));

    assertThat(attempts.firstAcceptedElsewhere("a", 20)).hasValue(found);
    assertThat(attempts.firstAcceptedElsewhere("a", 40)).isEmpty();
    assertThat(attempts.count(List.of("a", "b"), WriteOutcome.ACCEPTED)).isEqualTo(3);
  }

  private WriteOutcome outcomeOf(ExchangeHandler handler) throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/transfers",
        exchange -> {
          received.countDown();
          try (exchange) {
            handler.handle(exchange);
          }
        });
    server.start();
    try {
      int before = attempts.list().size();
      LoadGenerator load =
          LoadGenerator.start(
              "a", URI.create("http://127.0.0.1:" + server.getAddress().getPort()), attempts);
      assertThat(received.await(120, TimeUnit.SECONDS)).isTrue();
      load.stop();
      return attempts.list().get(before).outcome();
    } finally {
      server.stop(0);
    }
  }

  /** Handles a request; the connection is closed afterwards. */
  private interface ExchangeHandler {
    void handle(HttpExchange exchange) throws IOException;
  }
}
