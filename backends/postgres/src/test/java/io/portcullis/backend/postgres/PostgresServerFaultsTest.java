package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server or one of its processes stops, is killed, and restarts. */
class PostgresServerFaultsTest {
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
    await()
        .atMost(PostgresFixture.LONG)
        .until(() -> !(who.ask(new LeaseRequest.Look()) instanceof LeaseResponse.Unknown));
    await()
        .atMost(PostgresFixture.LONG)
        .until(() -> !(who.renew(0) instanceof LeaseResponse.Unknown));
  }

  @Test
  void restartLosesNoDataAndCostsOnlyTheTenure() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.stop();
      pair.awaitNobody();
      server.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void grantSurvivesAnImmediateCrash() {
    PostgresFixture site = PostgresFixture.on(server);
    for (int i = 0; i < 3; i++) {
      try (Claimant a = site.claimant("a" + i)) {
        awaitAnswer(a);
        Granted won = a.lead();
        server.kill();
        server.restart();

        awaitAnswer(a);
        LeaseRecord after = a.look();

        assertThat(after.isHeldBy("a" + i, won.epoch())).isTrue();
        assertThat(after.recordVersion().incarnation()).isEqualTo(won.incarnation());
      }
    }
  }

  @Test
  void stoppedServerCostsOnlyTheTenure() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.pause();
      pair.awaitNobody();
      pair.watchFor(PostgresFixture.LEASE.multipliedBy(3));
      server.resume();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void stoppedBackendShutsGateThenReopensSameEpoch() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection alone = site.node(watch, "alone");
      assertThat(alone.awaitLeadership(PostgresFixture.LONG)).isTrue();
      long epoch = alone.epoch();
      int pid = site.holderPid();

      server.pauseBackend(pid);
      await().atMost(PostgresFixture.LONG).until(() -> !alone.isLeader());
      server.resumeBackend(pid);

      assertThat(alone.awaitLeadership(PostgresFixture.LONG)).isTrue();
      assertThat(alone.epoch()).isEqualTo(epoch);
      assertThat(site.holderPid()).isEqualTo(pid);
    }
  }

  @Test
  void standbyTakesOverFromABackendThatStaysStopped() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      int pid = site.holderPid();

      server.pauseBackend(pid);
      pair.awaitLeads(pair.second(), epoch);
      server.resumeBackend(pid);
      pair.watchFor(PostgresFixture.LEASE.multipliedBy(2));
    }
  }

  @Test
  void sessionEndedByAnOperatorIsHandedOverEarly() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.execute("SELECT pg_terminate_backend(" + site.holderPid() + ")");

      pair.awaitLeaderAbove(epoch);
      assertThat(Long.parseLong(site.column("epoch"))).isEqualTo(epoch + 1);
    }
  }

  @Test
  void serverIsFoundAgainAfterManyLeases() throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.kill();
      pair.awaitNobody();
      pair.watchFor(Duration.ofSeconds(5));
      server.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }
}
