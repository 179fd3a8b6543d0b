package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pooler that lends its backends in turn. */
class AttackPoolerTest {
  @TempDir Path folder;

  @Test
  void aPoolerThatLendsInTurnGrantsNothing() throws Exception {
    try (PostgresServer server = PostgresServer.start("synchronous_commit = off");
        AttackRoundRobin lending = AttackRoundRobin.before(server, "transaction", folder)) {
      Site site = Site.on(server);
      server.execute(LeaseSql.definition(site.table()));
      server.execute("CREATE TABLE noted (epoch bigint, synchronous_commit text)");
      server.execute(
          "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO noted"
              + " VALUES (new.epoch, current_setting('synchronous_commit')); RETURN new; END $$");
      server.execute(
          "CREATE TRIGGER note BEFORE UPDATE ON "
              + site.table()
              + " FOR EACH ROW EXECUTE FUNCTION note()");
      warm(lending);
      List<Answer> granted = new ArrayList<>();
      try (Claimant a = site.by(lending.url()).claimant("a");
          Connection application = DriverManager.getConnection(lending.url() + "?user=postgres")) {
        LeaseRecord seen = null;
        for (int i = 0; i < 120; i++) {
          Answer answer = a.acquire(seen == null ? a.claim() : a.claim(seen.stamp()));
          for (int k = 0; k < i % 4; k++) {
            application.createStatement().execute("SELECT 1"); // Other clients turn the wheel.
          }
          if (answer instanceof Granted) {
            granted.add(answer);
          }
          if (answer instanceof Answer.HeldByOther held) {
            seen = held.record();
          }
          await().pollDelay(Duration.ofMillis(50)).until(() -> true);
        }
        for (int k = 0; k < 4; k++) {
          try (var shown = application.createStatement().executeQuery("SHOW lock_timeout")) {
            shown.next();
          }
        }
      }
      assertThat(granted).isEmpty();
    }
  }

  @Test
  void aPoolerThatOthersUseTooGrantsNothing() throws Exception {
    java.util.concurrent.atomic.AtomicBoolean over =
        new java.util.concurrent.atomic.AtomicBoolean();
    List<Thread> others = new ArrayList<>();
    try (PostgresServer server = PostgresServer.start("synchronous_commit = off");
        PgBouncer lending = PgBouncer.before(server, "transaction", folder)) {
      Site site = Site.on(server);
      for (int i = 0; i < 6; i++) {
        Thread other =
            new Thread(
                () -> {
                  try (Connection each =
                      DriverManager.getConnection(lending.url() + "?user=postgres")) {
                    while (!over.get()) {
                      each.createStatement().execute("SELECT pg_sleep(random() / 200)");
                    }
                  } catch (java.sql.SQLException e) {
                  }
                });
        other.setDaemon(true);
        other.start();
        others.add(other);
      }
      List<Answer> granted = new ArrayList<>();
      int refused = 0;
      try (Claimant a = site.by(lending.url()).claimant("a")) {
        LeaseRecord seen = null;
        for (int i = 0; i < 120; i++) {
          Answer answer = a.acquire(seen == null ? a.claim() : a.claim(seen.stamp()));
          if (answer instanceof Granted) {
            granted.add(answer);
          } else if (answer instanceof Answer.HeldByOther held) {
            seen = held.record();
          } else {
            refused++;
          }
          await().pollDelay(Duration.ofMillis(20)).until(() -> true);
        }
      }
      over.set(true);
      assertThat(granted).isEmpty();
    }
  }

  private static void warm(AttackRoundRobin lending) throws Exception {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Connection each = DriverManager.getConnection(lending.url() + "?user=postgres");
      each.setAutoCommit(false);
      each.createStatement().execute("SELECT 1");
      all.add(each);
    }
    for (Connection each : all) {
      each.rollback();
      each.close();
    }
  }
}
