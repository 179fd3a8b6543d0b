package com.acme.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses of a running service to invalid requests. */
class BadInputIT {
  @TempDir static Path folder;
  private static LedgerProcess ledger;

  @BeforeAll
  static void start() throws IOException {
    ledger = LedgerProcess.start(folder, Map.of());
  }

  @AfterAll
  static void end() {
    ledger.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "POST   | /transfers          | {                                         | 400 | not the"
            + " JSON",
        "POST   | /transfers          | null                                      | 400 | not the"
            + " JSON",
        "POST   | /transfers          | {\"from\":\"a\",\"to\":\"b\"}             | 400 | amount"
            + " must",
        "POST   | /transfers          | {\"from\":\"a\",\"to\":\"b\",\"amount\":0} | 400 | amount"
            + " must",
        "POST   | /transfers          | {\"from\":\"a\",\"to\":\"b\",\"amount\":1.5} | 400 | not"
            + " the JSON",
        "POST   | /transfers          | {\"from\":\"a\",\"to\":\"b\",\"amount\":\"1\"} | 400 | not"
            + " the JSON",
        "POST   | /transfers          | {\"from\":\" \",\"to\":\"b\",\"amount\":1} | 400 | from"
            + " must",
        "POST   | /transfers          | {\"from\":\"a\",\"amount\":1}             | 400 | to must",
        "POST   | /transfers          | {\"from\":\"a\",\"to\":\"b\",\"amount\":1,\"x\":1} | 400 |"
            + " not the JSON",
        "GET    | /transfers?limit=0  | {}                                        | 400 | limit"
            + " must",
        "GET    | /transfers?after=-1 | {}                                        | 400 | after"
            + " must",
        "GET    | /transfers?x=1      | {}                                        | 400 | unknown"
            + " parameter",
        "GET    | /nothing            | {}                                        | 404 | nothing"
            + " at /nothing",
        "DELETE | /transfers          | {}                                        | 405 | use GET,"
            + " POST",
        "POST   | /                   | {}                                        | 405 | use GET",
      })
  void badInputIsRefusedWithAReason(
      String method, String path, String body, int status, String reason) throws Exception {
    HttpResponse<String> response =
        ledger.send(
            HttpRequest.newBuilder(URI.create(ledger.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(LedgerJson.MAPPER.readTree(response.body()).get("error").asText()).contains(reason);
    assertThat(folder.resolve("journal.log")).isEmptyFile();
  }
}
