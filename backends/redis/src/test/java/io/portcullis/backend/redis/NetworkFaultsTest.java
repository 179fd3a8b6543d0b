package io.portcullis.backend.redis;

import static io.portcullis.election.contract.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.NetworkContract;
import io.portcullis.election.contract.NetworkFaults;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.contract.TimedPlace;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.HeldByOther;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NetworkFaultsTest extends NetworkContract {
  private final Site site = Site.on(SharedRedis.SERVER);
  private final TcpProxy proxy = TcpProxy.to(SharedRedis.SERVER.host(), SharedRedis.SERVER.port());
  private final Site behind = site.by("redis://" + proxy.host() + ":" + proxy.port());

  @Override
  protected TimedPlace site() {
    return site;
  }

  @Override
  protected TimedPlace behind() {
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
  void aRequestWithoutAnAnswerClosesItsConnectionAndTheNextOneOpensAnother() {
    try (Claimant a = behind.claimant("a", Duration.ofMillis(500))) {
      await().atMost(Site.LONG).until(() -> a.ask(new Request.Look()) instanceof HeldByOther);
      proxy.dropSilently();

      long asked = System.nanoTime();
      Answer answer = a.ask(new Request.Look());
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      proxy.heal();

      assertThat(((Answer.Unknown) answer).why()).contains("no answer within 500 ms");
      assertThat(took).isGreaterThan(Duration.ofMillis(450));
      await().atMost(LONG).until(() -> a.ask(new Request.Look()) instanceof HeldByOther);
    }
  }

  @Test
  void aGrantWhoseReplyWasLostIsFoundInTheRecord() {
    try (Claimant a = behind.claimant("a", Duration.ofSeconds(2));
        Claimant b = site.claimant("b")) {
      Stamp ground = Claimant.shown(a.acquire(a.claim())).stamp();
      a.look(); // Answered after all that a new connection asks the server about itself.
      proxy.dropReplies();

      Answer answer = a.acquire(a.claim(ground));

      assertThat(answer).isInstanceOf(Answer.Unknown.class);
      LeaseRecord shown = b.look();
      assertThat(shown.holder()).isEqualTo("a");
      assertThat(shown.isHeld()).isTrue();
    }
  }

  @Test
  void aLeaderWhoseRepliesAreLostShutsItsGateInTime() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropReplies();

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (Pair pair = behind.steadyPairWith(site)) {
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
