package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server or one of its processes stops, dies, comes back. */
class ServerFaultsTest {
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start("synchronous_commit = off");
    assumeTrue(server.isControllable());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void awaitAnswer(Claimant who) {
    await().atMost(Site.LONG).until(() -> !(who.ask(new Request.Look()) instanceof Answer.Unknown));
    await().atMost(Site.LONG).until(() -> !(who.renew(0) instanceof Answer.Unknown));
  }

  @Test
  void aRestartForgetsNothingAndCostsNoMoreThanTheTenure() throws Exception {
    Site site = Site.on(server);
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      server.stop();
      pair.awaitNobody();
      server.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void aGrantOutlivesACrashThatFollowsAtOnce() {
    Site site = Site.on(server);
    for (int i = 0; i < 3; i++) {
      try (Claimant a = site.claimant("a" + i)) {
        awaitAnswer(a);
        Granted won = a.lead();
        server.kill();
        server.restart();

        awaitAnswer(a);
        LeaseRecord after = a.look();

        assertThat(after.isHeldBy("a" + i, won.epoch())).isTrue();
        assertThat(after.stamp().incarnation()).isEqualTo(won.incarnation());
      }
    }
  }

  @Test
  void aStoppedServerCostsTheTenureAndNoMore() throws Exception {
    Site site = Site.on(server);
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      server.pause();
      pair.awaitNobody();
      pair.watchFor(Site.LEASE.multipliedBy(3));
      server.resume();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void aBackendStoppedForLessThanTwoLeasesShutsTheGateAndOpensItUnderTheSameEpoch()
      throws Exception {
    Site site = Site.on(server);
    try (GateWatch watch = new GateWatch()) {
      LeaderElection alone = site.node(watch, "alone");
      assertThat(alone.awaitLeadership(Site.LONG)).isTrue();
      long epoch = alone.epoch();
      int pid = site.holderPid();

      server.pauseBackend(pid);
      await().atMost(Site.LONG).until(() -> !alone.isLeader());
      server.resumeBackend(pid);

      assertThat(alone.awaitLeadership(Site.LONG)).isTrue();
      assertThat(alone.epoch()).isEqualTo(epoch);
      assertThat(site.holderPid()).isEqualTo(pid);
    }
  }

  @Test
  void aBackendThatStaysStoppedIsLeftBehindByAStandby() throws Exception {
    Site site = Site.on(server);
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      int pid = site.holderPid();

      server.pauseBackend(pid);
      pair.awaitLeads(pair.second(), epoch);
      server.resumeBackend(pid);
      pair.watchFor(Site.LEASE.multipliedBy(2));
    }
  }

  @Test
  void aSessionEndedByAnOperatorIsHandedOverBeforeItsLeaseEnds() throws Exception {
    Site site = Site.on(server);
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      server.execute("SELECT pg_terminate_backend(" + site.holderPid() + ")");

      pair.awaitLeaderAbove(epoch);
      assertThat(Long.parseLong(site.column("epoch"))).isEqualTo(epoch + 1);
    }
  }

  @Test
  void aServerAwayForManyLeasesIsFoundAgain() throws Exception {
    Site site = Site.on(server);
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      server.kill();
      pair.awaitNobody();
      pair.watchFor(Duration.ofSeconds(5));
      server.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }
}
