package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.servers.PostgresServer;
import org.junit.jupiter.api.Test;

/**
 * A name without a schema may resolve to two tables; the lock is the same and prevents two leaders.
 */
class SearchPathTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);

  private static LeaderElection steady(PostgresFixture place, SplitBrainDetector watch) {
    return ContenderPair.node(watch, place, "one", place.steadyTiming());
  }

  private void assertOneLeads(LeaderElection one, PostgresFixture place, SplitBrainDetector watch)
      throws Exception {
    LeaderElection other = place.node(watch, "other");

    assertThat(other.awaitLeadership(PostgresFixture.LEASE.multipliedBy(4))).isFalse();
    await().atMost(PostgresFixture.LONG).until(() -> other.status().store().problem() != null);
    assertThat(other.status().store().problem()).contains("search path", "postgres.table");
    assertThat(one.isLeader()).isTrue();
    watch.assertSafe();
  }

  @Test
  void differentTablesOnSearchPathsDoNotGiveTwoLeaders() throws Exception {
    String role = "own_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + role + " AUTHORIZATION " + role);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection one = steady(site.as(server.url(), role), watch);
      assertThat(one.awaitLeadership(PostgresFixture.LONG)).isTrue();

      assertOneLeads(one, site, watch);
    }
  }

  @Test
  void changedSearchPathDoesNotGiveASecondLeader() throws Exception {
    String role = "moved_" + site.table();
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA first_" + role + " AUTHORIZATION " + role);
    server.execute("CREATE SCHEMA second_" + role + " AUTHORIZATION " + role);
    server.execute("ALTER ROLE " + role + " SET search_path = first_" + role);
    PostgresFixture moved = site.as(server.url(), role);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection one = steady(moved, watch);
      assertThat(one.awaitLeadership(PostgresFixture.LONG)).isTrue();
      server.execute("ALTER ROLE " + role + " SET search_path = second_" + role);

      assertOneLeads(one, moved, watch);
    }
  }
}
