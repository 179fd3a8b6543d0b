package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.fence.FencedStore;
import io.portcullis.election.store.Claim;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import io.portcullis.election.store.StoreFeatures.GrantDelaySource;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that has just started, and nodes to which it counts as new. */
@Tag("slow")
class RedisNewServerTest {
  /** No server of a test has run for this long, however slow the machine is. */
  private static final Duration MAX_LEASE = Duration.ofHours(1);

  private static final Duration WAITING = Duration.ofMinutes(30);
  private static final Duration AT_ONCE = Duration.ofSeconds(3);
  private static final String SENTENCE =
      "Redis has run for \\d+ s and grants nothing for another \\d+ s"
          + " \\(docs/redis\\.md#a-new-server\\)";

  private final RedisServer server =
      RedisFixture.warmed(RedisServer.start("--appendonly yes", "--appendfsync always"));
  private final RedisFixture site = RedisFixture.on(server);
  private final RedisFixture trusting = site.trustingNewServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private static Claim claim(Claimant who, @Nullable RecordVersion waitedOut) {
    return claim(who, waitedOut, 0, null);
  }

  private static Claim claim(
      Claimant who, @Nullable RecordVersion waitedOut, long highest, @Nullable String known) {
    Claim brief = who.claim(waitedOut, highest, known);
    return new Claim(
        brief.node(),
        brief.address(),
        brief.lease(),
        MAX_LEASE,
        highest,
        waitedOut,
        known,
        brief.trustsEmptyStore());
  }

  private static LeaseRecord refused(LeaseResponse answer) {
    LeaseRecord shown = Claimant.shown(answer);
    assertThat(shown.remaining()).isGreaterThan(WAITING);
    return shown;
  }

  private static Granted leadAtOnce(Claimant who) {
    LeaseRecord ground = Claimant.shown(who.acquire(claim(who, null)));
    assertThat(ground.remaining()).isLessThan(AT_ONCE);
    return Claimant.granted(who.acquire(claim(who, ground.recordVersion())));
  }

  private static void awaitAnswer(Claimant who) {
    await()
        .atMost(RedisFixture.LONG)
        .until(() -> !(who.ask(new LeaseRequest.Look()) instanceof LeaseResponse.Unknown));
  }

  @Test
  void onlyNodesToWhichItCountsAsNewNeedNotWait() {
    try (Claimant a = trusting.claimant("a");
        Claimant b = trusting.claimant("b");
        Claimant cautious = site.claimant("c")) {
      Granted won = leadAtOnce(a);
      assertThat(a.renew(won.epoch())).isEqualTo(won);
      LeaseRecord released = a.release(won);
      assertThat(released.released()).isTrue();

      refused(cautious.acquire(claim(cautious, released.recordVersion())));
      Granted next = Claimant.granted(b.acquire(claim(b, null)));
      assertThat(next.epoch()).isGreaterThan(won.epoch());
    }
  }

  @Test
  void emptyRecordOfAnotherNodeIsTaken() {
    try (Claimant a = trusting.claimant("a");
        Claimant cautious = site.claimant("c")) {
      refused(cautious.acquire(claim(cautious, null)));

      assertThat(leadAtOnce(a)).isNotNull();
    }
  }

  @Test
  void recordOfAnEarlierRunKeepsTheWait() {
    assumeTrue(server.isControllable());
    try (Claimant a = trusting.claimant("a");
        Claimant b = trusting.claimant("b")) {
      Granted won = leadAtOnce(a);

      server.restart();
      awaitAnswer(b);
      LeaseRecord before = refused(b.acquire(claim(b, null)));
      refused(b.acquire(claim(b, before.recordVersion())));
      a.renew(won.epoch(), Duration.ofMinutes(1)); // Refused if the lease has ended meanwhile.
      site.command("DEL", site.keys().lease());
      LeaseRecord renewed = refused(b.acquire(claim(b, null)));
      LeaseRecord waited = refused(b.acquire(claim(b, renewed.recordVersion())));

      assertThat(waited.holder()).isEqualTo("a");
      assertThat(waited.epoch()).isEqualTo(won.epoch());
    }
  }

  @Test
  void releaseOfAnEarlierRunKeepsTheWait() {
    assumeTrue(server.isControllable());
    try (Claimant a = trusting.claimant("a");
        Claimant b = trusting.claimant("b")) {
      a.release(leadAtOnce(a));

      server.restart();
      awaitAnswer(b);
      LeaseRecord before = refused(b.acquire(claim(b, null)));

      assertThat(before.released()).isFalse();
      refused(b.acquire(claim(b, before.recordVersion())));
    }
  }

  @Test
  void nodeThatKnowsMoreThanAnEmptyServerKeepsTheWait() {
    site.command("CONFIG", "SET", "appendonly", "no");
    try (Claimant a = trusting.claimant("a")) {
      String incarnation = a.look().recordVersion().incarnation();

      refused(a.acquire(claim(a, null, 7, incarnation)));
      site.wipe();
      LeaseRecord ground = refused(a.acquire(claim(a, null, 7, "another")));
      refused(a.acquire(claim(a, ground.recordVersion(), 7, incarnation)));
      site.wipe();
      LeaseRecord foreign = refused(a.acquire(claim(a, null, 0, "another")));
      refused(a.acquire(claim(a, foreign.recordVersion(), 0, "another")));
    }
  }

  @Test
  void formerReplicaIsNotNew() {
    site.command("REPLICAOF", "127.0.0.1", "1");
    site.command("REPLICAOF", "NO", "ONE");
    try (Claimant a = trusting.claimant("a")) {
      LeaseRecord ground = refused(a.acquire(claim(a, null)));
      refused(a.acquire(claim(a, ground.recordVersion())));
    }
  }

  @Test
  void serverThatIsNotKnownByItsRunIdIsNotNew() {
    assertThat(
            site.command(
                "ACL", "SETUSER", "elector", "on", ">secret", "~*", "&*", "+@all", "-info"))
        .isEqualTo("OK");
    RedisFixture uninformed =
        trusting.by("redis://elector:secret@" + server.host() + ":" + server.port());
    try (Claimant a = uninformed.claimant("a")) {
      LeaseRecord ground = refused(a.acquire(claim(a, null)));
      refused(a.acquire(claim(a, ground.recordVersion())));
    }
  }

  @Test
  void restartWithDataIsWaitedOutByTrustingNodes() throws Exception {
    awaitNextTenureAfterRestart(server);
  }

  @Test
  void restartWithoutDataIsWaitedOutByTrustingNodesThatRan() throws Exception {
    try (RedisServer forgetful = RedisServer.start()) {
      awaitNextTenureAfterRestart(forgetful);
    }
  }

  private static void awaitNextTenureAfterRestart(RedisServer redis) throws InterruptedException {
    assumeTrue(redis.isControllable());
    try (ContenderPair pair = RedisFixture.on(redis).trustingNewServer().pair()) {
      long epoch = pair.epoch();

      redis.kill();
      pair.awaitNobody();
      redis.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void delayIsReportedThroughFencesUntilAGrantIsPossible() {
    try (Claimant cautious = site.claimant("c");
        FencedStore store = new FencedStore(open("a"), List.of(), "a", Duration.ofSeconds(1))) {
      GrantDelaySource source = Objects.requireNonNull(store.feature(GrantDelaySource.class));
      assertThat(source.grantDelay()).isNull();

      Claimant.answerTo(store.ask(new LeaseRequest.Acquire(claim(cautious, null))));

      GrantDelay delay = Objects.requireNonNull(source.grantDelay());
      assertThat(delay.remaining()).isBetween(WAITING, MAX_LEASE.plusSeconds(3));
      assertThat(delay.sentence()).matches(SENTENCE);

      RedisFixture.grown(server, RedisFixture.STEADY_LEASE);
      Claimant.answerTo(store.ask(new LeaseRequest.Look()));
      assertThat(source.grantDelay()).isNull();
    }
  }

  private LeaseStore open(String node) {
    return site.open(new ElectionConfig("contract", "writer", node, null, site.steadyTiming()));
  }

  @Test
  void statusOfAWaitingNodeExplainsTheDelay() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node =
          ContenderPair.node(watch, site, "waiting", Timing.builder().lease(MAX_LEASE).build());

      await().atMost(RedisFixture.LONG).until(() -> node.status().explanation().matches(SENTENCE));
      assertThat(node.isLeader()).isFalse();
    }
  }
}
