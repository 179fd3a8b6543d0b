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

class LoadTest {
  private final Attempts attempts = new Attempts();

  @Test
  void whatTheServiceAnswersIsTheOutcome() throws Exception {
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(201, -1)))
        .isEqualTo(Outcome.ACCEPTED);
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(503, -1)))
        .isEqualTo(Outcome.REFUSED);
    assertThat(outcomeOf(exchange -> exchange.sendResponseHeaders(500, -1)))
        .isEqualTo(Outcome.FAILED);
  }

  @Test
  void deadConnectionLeavesTheWriteUnanswered() throws Exception {
    AtomicInteger requests = new AtomicInteger();

    Outcome outcome = outcomeOf(exchange -> requests.incrementAndGet());

    assertThat(outcome).isEqualTo(Outcome.UNANSWERED);
    assertThat(attempts.list()).hasSize(requests.get());
  }

  @Test
  void aPortThatNobodyListensOnIsUnreachable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    Load.start("a", URI.create("http://127.0.0.1:" + port), attempts).stop();

    assertThat(attempts.list()).first().extracting(Attempt::outcome).isEqualTo(Outcome.UNREACHABLE);
  }

  @Test
  void theFirstWriteAcceptedElsewhereAfterwardsEndsATakeover() {
    Attempt found = new Attempt("b-3", "b", Outcome.ACCEPTED, 30);
    attempts.add(new Attempt("b-1", "b", Outcome.ACCEPTED, 10));
    attempts.add(new Attempt("a-1", "a", Outcome.ACCEPTED, 25));
    attempts.add(new Attempt("b-2", "b", Outcome.REFUSED, 26));
    attempts.add(found);
    attempts.add(new Attempt("c-1", "c", Outcome.ACCEPTED, 40));

    assertThat(attempts.firstAcceptedElsewhere("a", 20)).hasValue(found);
    assertThat(attempts.firstAcceptedElsewhere("a", 40)).isEmpty();
    assertThat(attempts.count(List.of("a", "b"), Outcome.ACCEPTED)).isEqualTo(3);
  }

  private Outcome outcomeOf(Answer answer) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/transfers",
        exchange -> {
          asked.countDown();
          try (exchange) {
            answer.to(exchange);
          }
        });
    server.start();
    try {
      int before = attempts.list().size();
      Load load =
          Load.start(
              "a", URI.create("http://127.0.0.1:" + server.getAddress().getPort()), attempts);
      assertThat(asked.await(120, TimeUnit.SECONDS)).isTrue();
      load.stop();
      return attempts.list().get(before).outcome();
    } finally {
      server.stop(0);
    }
  }

  /** How the service treats a request; the connection ends afterwards. */
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }
}
