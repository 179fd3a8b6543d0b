package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages in any order, on a fenced connection and on an unfenced one; seeds as in RandomWorkTest,
 * {@code -Dportcullis.random.messages} tries more of them.
 */
@Tag("slow")
class RandomMessagesTest {
  private static final int STEPS = 60;
  private static final int RUNS = Integer.getInteger("portcullis.random.messages", 10);

  private static FencedPostgresServer server;

  private final FencedDatabaseStub site = new FencedDatabaseStub();
  private long seed = Long.getLong("portcullis.random.seed", 1);

  @BeforeAll
  static void start() throws SQLException {
    assertThat(FencedPostgresFixture.connections()).isNotNegative();
    server = FencedPostgresServer.on(PostgresServer.start());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void prepare() throws SQLException {
    server.reset();
    for (String schema : List.of("one", "two")) {
      server.execute(
          "DROP SCHEMA IF EXISTS %1$s CASCADE; CREATE SCHEMA %1$s; SET search_path = %1$s; %2$s"
              .formatted(schema, RandomWorkload.TABLES));
    }
  }

  private static String content(String schema) throws SQLException {
    return server.query("SELECT string_agg(w::text, ' ' ORDER BY id) FROM " + schema + ".w");
  }

  private String report(List<String> steps) {
    return "seed " + seed + ":\n" + String.join("\n", steps);
  }

  @Test
  void fenceChangesNothingWhileThisNodeLeads() throws Exception {
    for (int i = 0; i < RUNS; i++, seed++) {
      prepare();
      List<String> steps = new ArrayList<>();
      try (RandomMessageSender fenced = fenced();
          RandomMessageSender plain =
              new RandomMessageSender(server.server(), (where, name) -> null, "two", seed)) {
        if (isSame(fenced, plain, steps)) {
          assertThat(content("one")).as(() -> report(steps)).isEqualTo(content("two"));
        }
      }
    }
  }

  /** False where the two may differ: see {@link #mayDiffer}. */
  private boolean isSame(RandomMessageSender fenced, RandomMessageSender plain, List<String> steps)
      throws IOException {
    for (int step = 0; step < STEPS; step++) {
      String expected = plain.step();
      steps.add(expected);
      String was = step(fenced, steps);
      if (!was.equals(expected) && mayDiffer(expected)) {
        return false;
      }
      assertThat(was).as(() -> report(steps)).isEqualTo(expected);
    }
    // Sometimes the open transaction is not committed.
    return true;
  }

  /**
   * A check fails in a failed transaction, while a statement that ends the transaction would not;
   * it is sent if the state of the transaction or the statement is unknown.
   */
  private static boolean mayDiffer(String expected) {
    return expected.contains("ZE, ");
  }

  private RandomMessageSender fenced() throws IOException {
    return new RandomMessageSender(server.server(), (where, name) -> site, "one", seed);
  }

  private String step(RandomMessageSender fenced, List<String> steps) {
    try {
      return fenced.step();
    } catch (IOException e) {
      throw new AssertionError(report(steps), e);
    }
  }

  @Test
  void nothingIsCommittedAfterATakeover() throws Exception {
    for (int i = 0; i < RUNS; i++, seed++) {
      prepare();
      List<String> steps = new ArrayList<>();
      try (RandomMessageSender fenced = fenced()) {
        int before = new Random(seed).nextInt(1, STEPS);
        // An installer waits until all transactions under the previous epoch have ended.
        while (steps.size() < before || !steps.get(steps.size() - 1).endsWith("ZI]")) {
          steps.add(step(fenced, steps));
        }
        server.takeOver();
        steps.add("Another node has taken over.");
        String content = content("one");
        for (int step = 0; step < STEPS; step++) {
          steps.add(step(fenced, steps));
        }
        assertThat(content("one")).as(() -> report(steps)).isEqualTo(content);
      }
    }
  }
}
