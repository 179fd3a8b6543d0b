package com.acme.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jar as a process with a real Postgres server. */
class LedgerTableIT {
  @TempDir Path folder;

  @Test
  void twoInstancesShareOneTable() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
        LedgerProcess one = LedgerProcess.start(folder, env(postgres, "w1"));
        LedgerProcess two = LedgerProcess.start(folder, env(postgres, "w2"))) {

      String first = one.post("{\"from\":\"a\",\"to\":\"b\",\"amount\":1}").body();
      String second = two.post("{\"from\":\"b\",\"to\":\"c\",\"amount\":2}").body();

      assertThat(first).contains("\"writer\":\"w1\"");
      assertThat(one.get("/transfers").body()).isEqualTo("[" + first + "," + second + "]");
      assertThat(two.get("/transfers?after=1").body()).isEqualTo("[" + second + "]");
      assertThat(two.get("/").body()).isEqualTo("ledger\nwriter: w2\ncount: 2\n");
      assertThat(folder.resolve("journal.log")).doesNotExist();
    }
  }

  @Test
  void failingStoreIsAnsweredWith500() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start();
    try (postgres;
        LedgerProcess ledger = LedgerProcess.start(folder, env(postgres, "w1"))) {
      try (var connection = postgres.getPostgresDatabase().getConnection();
          var statement = connection.createStatement()) {
        statement.execute("drop table transfers");
      }

      var answer = ledger.post("{\"from\":\"a\",\"to\":\"b\",\"amount\":1}");

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("may or may not be stored");
    }
  }

  private static Map<String, String> env(EmbeddedPostgres postgres, String writer) {
    return Map.of(
        "DB_URL",
        postgres.getJdbcUrl("postgres", "postgres"),
        "DB_USER",
        "postgres",
        "DB_PASSWORD",
        "postgres",
        "WRITER",
        writer);
  }
}
