package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Granted;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.Request;
import io.portcullis.election.store.Stamp;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose network fails, while the others' works. */
class NetworkFaultsTest {
  private final Site site = Site.on(SharedRedis.SERVER);
  private final TcpProxy proxy = TcpProxy.to(SharedRedis.SERVER.host(), SharedRedis.SERVER.port());
  private final Site behind = site.by("redis://" + proxy.host() + ":" + proxy.port());

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void aLeaderInABlackHoleIsReplacedAfterItsGateHasShut() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropSilently();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.second().isLeader()).isTrue();
      proxy.heal();
      pair.watchFor(Duration.ofSeconds(2)); // What was held back arrives now.
      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void aRequestWithoutAnAnswerClosesItsConnectionAndTheNextOneOpensAnother() {
    try (Claimant a = behind.claimant("a")) {
      a.look();
      proxy.dropSilently();

      long asked = System.nanoTime();
      Answer answer = a.ask(new Request.Look());
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      proxy.heal();

      assertThat(((Answer.Unknown) answer).why()).contains("no answer within 500 ms");
      assertThat(took).isBetween(Duration.ofMillis(450), Duration.ofSeconds(2));
      await().until(() -> a.ask(new Request.Look()) instanceof Answer.HeldByOther);
    }
  }

  @Test
  void aGrantWhoseReplyWasLostIsFoundInTheRecord() {
    try (Claimant a = behind.claimant("a");
        Claimant b = site.claimant("b")) {
      Stamp ground = Claimant.shown(a.acquire(a.claim())).stamp();
      proxy.dropReplies();

      Answer answer = a.acquire(a.claim(ground));

      assertThat(answer).isInstanceOf(Answer.Unknown.class);
      LeaseRecord shown = b.look();
      assertThat(shown.holder()).isEqualTo("a");
      assertThat(shown.isHeld()).isTrue();
    }
  }

  @Test
  void aNodeWhoseGrantIsNotHeardOfLeadsOnceItIsHeardAgain() throws Exception {
    try (GateWatch watch = new GateWatch();
        Claimant before = site.claimant("before")) {
      Granted held = before.lead();
      LeaderElection node = behind.node(watch, "node");
      await().until(() -> node.leader().equals(Optional.of("before")));
      proxy.dropReplies();
      before.release(held); // The claim that follows is granted, but its reply is lost.
      assertThat(node.awaitLeadership(Site.LEASE)).isFalse();

      proxy.heal();

      assertThat(node.awaitLeadership(Site.LONG)).isTrue();
      assertThat(node.epoch()).isGreaterThan(held.epoch());
      watch.assertSafe();
    }
  }

  @Test
  void aLeaderWhoseRepliesAreLostShutsItsGateInTime() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.dropReplies();

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void aNetworkThatIsSlowButFastEnoughKeepsTheLeader() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      proxy.delay(Duration.ofMillis(60));
      pair.watchFor(Duration.ofSeconds(3));

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (Pair pair = behind.pairWith(site)) {
      long epoch = pair.epoch();

      for (int i = 0; i < 3; i++) {
        proxy.cut();
        pair.watchFor(Duration.ofMillis(300));
      }

      assertThat(pair.first().epoch()).isEqualTo(epoch);
      assertThat(pair.first().isLeader()).isTrue();
    }
  }
}
