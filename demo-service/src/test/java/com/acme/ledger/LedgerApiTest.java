package com.acme.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Responses if the ledger does not accept a transfer. */
class LedgerApiTest {

  @Test
  void refusedTransferIsAnsweredWithRetryAfter() throws Exception {
    HttpResponse<String> response =
        postTo(new FailingStore(new IllegalStateException("another instance writes")));

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(response.body()).isEqualTo("{\"error\":\"another instance writes\"}");
  }

  @Test
  void storeFailureIsAServerError() throws Exception {
    HttpResponse<String> response =
        postTo(new FailingStore(new UnsupportedOperationException("broken")));

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    assertThat(response.body()).contains("may or may not be stored");
  }

  private static HttpResponse<String> postTo(TransferStore store) throws Exception {
    LedgerServer server =
        new LedgerServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new LedgerApi(new Ledger(store, "w1")));
    server.start();
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/transfers"))
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"from\":\"a\",\"to\":\"b\",\"amount\":1}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
    } finally {
      server.stop(Duration.ofSeconds(1));
    }
  }

  private record FailingStore(RuntimeException failure) implements TransferStore {
    @Override
    public void append(Transfer transfer) {
      throw failure;
    }

    @Override
    public List<Transfer> after(long skipped, int limit) {
      throw failure;
    }

    @Override
    public long count() {
      throw failure;
    }

    @Override
    public void close() {}
  }
}
