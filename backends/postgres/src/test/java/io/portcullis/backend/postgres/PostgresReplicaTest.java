package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary with a replica, and failovers that lose commits. */
class PostgresReplicaTest {
  private final PostgresServer primary = PostgresServer.startLocal();
  private final PostgresServer replica = primary.startReplica();
  private final PostgresFixture site = PostgresFixture.on(primary);

  @AfterEach
  void close() {
    replica.close();
    primary.close();
  }

  private String both() {
    return "jdbc:postgresql://127.0.0.1:"
        + replica.port()
        + ",127.0.0.1:"
        + primary.port()
        + "/postgres";
  }

  private void awaitReplicated() {
    String lsn = primary.query("SELECT pg_current_wal_lsn()");
    await()
        .atMost(PostgresFixture.LONG)
        .until(() -> replica.query("SELECT pg_last_wal_replay_lsn() >= '" + lsn + "'").equals("t"));
  }

  @Test
  void replicaIsRefusedWithAReason() {
    try (Claimant a = site.by(replica.url()).claimant("a")) {
      LeaseResponse look = a.ask(new LeaseRequest.Look());
      LeaseResponse claim = a.acquire(a.claim());

      assertThat(((Unknown) look).why()).contains("replica in recovery");
      assertThat(((Unknown) claim).why()).contains("replica in recovery");
    }
  }

  @Test
  void primaryOfSeveralHostsIsFoundAlsoAfterAFailover() throws Exception {
    PostgresFixture either = site.by(both());
    try (ContenderPair pair = either.pair()) {
      long epoch = pair.epoch();
      awaitReplicated();

      primary.kill();
      replica.promote();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void releaseFoundInAPromotedReplicaIsNotTrusted() {
    Granted first;
    Granted forgotten;
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      first = a.lead();
      a.release(first);
      awaitReplicated();
      replica.execute("ALTER SYSTEM SET primary_conninfo = ''");
      replica.execute("SELECT pg_reload_conf()");
      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> replica.query("SELECT count(*) FROM pg_stat_wal_receiver").equals("0"));
      forgotten = b.lead();
    }
    await()
        .atMost(PostgresFixture.LONG)
        .until(() -> System.currentTimeMillis() / 1000 >= forgotten.epoch());
    replica.promote();

    try (Claimant fresh = site.by(replica.url()).claimant("fresh")) {
      LeaseRecord shown = fresh.look();
      LeaseResponse atOnce = fresh.acquire(fresh.claim());
      Claimant.waitOut(shown);
      LeaseResponse patient = fresh.acquire(fresh.claim(shown.recordVersion()));

      assertThat(shown.epoch()).isEqualTo(first.epoch());
      assertThat(shown.released()).isFalse();
      assertThat(shown.remaining()).isEqualTo(PostgresFixture.LEASE);
      assertThat(atOnce).isNotInstanceOf(Granted.class);
      assertThat(Claimant.granted(patient).epoch()).isGreaterThan(forgotten.epoch());
      assertThat(Claimant.granted(patient).incarnation()).isNotEqualTo(first.incarnation());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancelledWaitForASynchronousReplicaIsNoGrant(boolean renewing) {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();
      LeaseRequest request =
          renewing
              ? new LeaseRequest.Renew("a", won.epoch(), PostgresFixture.LEASE, null)
              : new LeaseRequest.Acquire(a.claim(a.release(won).recordVersion()));
      primary.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      primary.execute("SELECT pg_reload_conf()");
      await()
          .atMost(PostgresFixture.LONG)
          .until(() -> primary.query("SHOW synchronous_standby_names").equals("nobody"));

      var asked = a.send(request);
      String waiting = "SELECT max(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await().atMost(PostgresFixture.LONG).until(() -> !primary.query(waiting).isEmpty());
      primary.query("SELECT pg_cancel_backend(" + primary.query(waiting) + ")");

      assertThat(Claimant.answerTo(asked)).isInstanceOf(Unknown.class);
    }
  }
}
