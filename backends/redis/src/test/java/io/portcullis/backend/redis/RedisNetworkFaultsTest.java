package io.portcullis.backend.redis;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.NetworkContract;
import io.portcullis.election.contract.NetworkFaults;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisNetworkFaultsTest extends NetworkContract {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);
  private final TcpProxy proxy = TcpProxy.to(SharedRedis.SERVER.host(), SharedRedis.SERVER.port());
  private final RedisFixture behind = site.by("redis://" + proxy.host() + ":" + proxy.port());

  @Override
  protected TimedStoreFixture site() {
    return site;
  }

  @Override
  protected TimedStoreFixture behind() {
    return behind;
  }

  @Override
  protected NetworkFaults faults() {
    return new NetworkFaults(proxy::dropSilently, proxy::dropReplies, proxy::delay, proxy::heal);
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void unansweredRequestClosesItsConnection() {
    try (Claimant a = behind.claimant("a", Duration.ofMillis(500))) {
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
      proxy.dropSilently();

      long asked = System.nanoTime();
      LeaseResponse answer = a.ask(new LeaseRequest.Look());
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      proxy.heal();

      assertThat(((LeaseResponse.Unknown) answer).why()).contains("no response within 500 ms");
      assertThat(took).isGreaterThan(Duration.ofMillis(450));
      await().atMost(MAX_WAIT).until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
    }
  }

  @Test
  void grantWhoseReplyWasLostIsFoundInTheRecord() {
    try (Claimant a = behind.claimant("a", Duration.ofSeconds(2));
        Claimant b = site.claimant("b")) {
      RecordVersion ground = Claimant.shown(a.acquire(a.claim())).recordVersion();
      a.look(); // Arrives after the responses to all requests of the connection set-up.
      proxy.dropReplies();

      LeaseResponse answer = a.acquire(a.claim(ground));

      assertThat(answer).isInstanceOf(LeaseResponse.Unknown.class);
      LeaseRecord shown = b.look();
      assertThat(shown.holder()).isEqualTo("a");
      assertThat(shown.isHeld()).isTrue();
    }
  }

  @Test
  void leaderThatReceivesNoRepliesShutsItsGateInTime() throws Exception {
    try (ContenderPair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropReplies();

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (ContenderPair pair = behind.steadyPairWith(site)) {
      long epoch = pair.epoch();

      for (int i = 0; i < 3; i++) {
        proxy.cut();
        pair.awaitRenewals(2);
      }

      assertThat(pair.first().epoch()).isEqualTo(epoch);
      assertThat(pair.first().isLeader()).isTrue();
    }
  }
}
