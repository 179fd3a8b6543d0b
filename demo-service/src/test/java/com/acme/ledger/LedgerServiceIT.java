package com.acme.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the jar as a process with a journal file. */
class LedgerServiceIT {
  private static final String BODY =
      """
      {"id": "t1", "from": "a", "to": "b", "amount": 12}\
      """;

  @TempDir Path folder;

  @Test
  void transferIsAnsweredAsItWasStored() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of("WRITER", "w1"))) {

      HttpResponse<String> answer = ledger.post(BODY);

      assertThat(answer.statusCode()).isEqualTo(201);
      JsonNode stored = LedgerJson.MAPPER.readTree(answer.body());
      assertThat(stored.propertyStream().map(Map.Entry::getKey))
          .containsExactly("id", "from", "to", "amount", "writer", "at");
      assertThat(stored.get("writer").asText()).isEqualTo("w1");
      assertThat(stored.get("amount").asLong()).isEqualTo(12);
      assertThat(stored.get("at").asText())
          .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
      assertThat(Files.readString(folder.resolve("journal.log"))).isEqualTo(answer.body() + "\n");
      assertThat(ledger.get("/transfers").body()).isEqualTo("[" + answer.body() + "]");
      assertThat(ledger.get("/").body()).isEqualTo("ledger\nwriter: w1\ncount: 1\n");
    }
  }

  @Test
  void transferWithoutAnIdGetsOne() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of())) {

      HttpResponse<String> answer = ledger.post("{\"from\": \"a\", \"to\": \"b\", \"amount\": 1}");

      assertThat(LedgerJson.MAPPER.readTree(answer.body()).get("id").asText()).hasSize(36);
    }
  }

  @Test
  void listIsBoundedAndNewestLast() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of())) {
      for (int i = 1; i <= 5; i++) {
        ledger.post(BODY.replace("t1", "t" + i));
      }

      assertThat(ids(ledger.get("/transfers?limit=2"))).containsExactly("t4", "t5");
      assertThat(ids(ledger.get("/transfers?after=3"))).containsExactly("t4", "t5");
      assertThat(ids(ledger.get("/transfers?after=1&limit=2"))).containsExactly("t2", "t3");
      assertThat(ids(ledger.get("/transfers?after=9"))).isEmpty();
    }
  }

  @Test
  void bodyAboveTheLimitIsTooLarge() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of())) {

      int within = ledger.post(BODY + " ".repeat(64 * 1024 - BODY.length())).statusCode();
      int above = ledger.post(BODY + " ".repeat(64 * 1024 - BODY.length() + 1)).statusCode();

      assertThat(within).isEqualTo(201);
      assertThat(above).isEqualTo(413);
    }
  }

  @Test
  void instancesShareOneJournalWithoutLosingLines() throws Exception {
    int each = 200;
    Map<String, String> shared = Map.of("JOURNAL", folder.resolve("shared.log").toString());
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try (LedgerProcess one = LedgerProcess.start(folder, shared);
        LedgerProcess two = LedgerProcess.start(folder, shared)) {
      Set<String> sent = new HashSet<>();
      Set<Future<Integer>> answers = new HashSet<>();

      for (int i = 0; i < each; i++) {
        for (LedgerProcess ledger : List.of(one, two)) {
          String id = "t" + sent.size();
          sent.add(id);
          answers.add(clients.submit(() -> ledger.post(BODY.replace("t1", id)).statusCode()));
        }
      }

      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(201);
      }
      assertThat(ids(one.get("/transfers"))).containsExactlyInAnyOrderElementsOf(sent);
      assertThat(ids(two.get("/transfers"))).isEqualTo(ids(one.get("/transfers")));
    } finally {
      clients.shutdown();
    }
  }

  @Test
  void shutdownHookWritesTheClosingEntryIfConfigured() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of("CLOSING_ENTRY", "true"))) {

      ledger.terminate();

      assertThat(ledger.output()).containsPattern("closing entry \\S+ written\\s+ledger closed");
      assertThat(Files.readAllLines(folder.resolve("journal.log")))
          .singleElement()
          .asString()
          .contains("\"from\":\"closing\",\"to\":\"closing\",\"amount\":0,");
    }
  }

  @Test
  void shutdownHookWritesNothingUnlessConfigured() throws Exception {
    try (LedgerProcess ledger = LedgerProcess.start(folder, Map.of())) {

      ledger.terminate();

      assertThat(ledger.output()).contains("ledger closed").doesNotContain("closing entry");
      assertThat(folder.resolve("journal.log")).isEmptyFile();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PORT          | x                   | PORT must be a number from 0 to 65535",
        "PORT          | 65536               | PORT must be a number from 0 to 65535",
        "CLOSING_ENTRY | yes                 | CLOSING_ENTRY must be true or false",
        "JOURNAL       | nowhere/journal.log | can't open the journal nowhere/journal.log"
      })
  void invalidSettingStopsTheStart(String name, String value, String reason) throws Exception {
    try (LedgerProcess ledger = LedgerProcess.launch(folder, Map.of(name, value))) {

      int code = ledger.awaitExit();

      assertThat(code).isEqualTo(1);
      assertThat(ledger.output()).startsWith("ledger can't start: " + reason);
    }
  }

  private static List<String> ids(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).isEqualTo(200);
    return LedgerJson.MAPPER
        .readTree(answer.body())
        .valueStream()
        .map(transfer -> transfer.get("id").asText())
        .toList();
  }
}
