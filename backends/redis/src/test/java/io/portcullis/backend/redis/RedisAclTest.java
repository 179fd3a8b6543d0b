package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users with more, fewer and exactly the rights that an election needs, see docs/redis.md. */
class RedisAclTest {
  private static final String SECRET = "s3cret-Word";

  /** The commands of docs/redis.md. */
  private static final List<String> NEEDED =
      List.of("+evalsha", "+eval", "+get", "+set", "+del", "+pttl", "+hmget", "+hset", "+time");

  private final RedisFixture plain = RedisFixture.on(SharedRedis.SERVER);
  private final RedisFixture site =
      plain.by("redis://elector:" + SECRET + "@127.0.0.1:" + SharedRedis.SERVER.port());

  @AfterEach
  void deleteUser() {
    plain.command("ACL", "DELUSER", "elector");
  }

  private void allow(String... rules) {
    List<String> words =
        new ArrayList<>(List.of("ACL", "SETUSER", "elector", "reset", "resetchannels", "on"));
    words.add(">" + SECRET);
    words.add("~" + plain.keys().lease());
    words.add("~" + plain.keys().record());
    words.addAll(List.of(rules));
    assertThat(plain.command(words.toArray(new String[0]))).isEqualTo("OK");
  }

  private String[] needed(String... more) {
    List<String> rules = new ArrayList<>(NEEDED);
    rules.addAll(List.of(more));
    return rules.toArray(new String[0]);
  }

  @Test
  void documentedRightsSufficeToLeadHandOverAndGetHints() throws Exception {
    allow(needed("+info", "+publish", "+subscribe", "&" + plain.keys().channel()));
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection first = site.node(watch, "first");
      assertThat(first.awaitLeadership(RedisFixture.LONG)).isTrue();
      LeaderElection second = site.node(watch, "second");

      first.stepDown();

      assertThat(second.awaitLeadership(RedisFixture.LONG)).isTrue();
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> plain.command("PUBSUB", "NUMSUB", plain.keys().channel()).endsWith("2"));
    }
  }

  @Test
  void priorityRequestNeedsNoRightsAndItsRefusalIsHarmless() {
    allow(needed("+info", "+publish", "+subscribe", "&" + plain.keys().channel()));
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      Granted won = a.lead();
      PriorityRequest request = new PriorityRequest("b", 5, won.epoch(), Duration.ofMinutes(1));
      await()
          .atMost(RedisFixture.LONG)
          .until(
              () -> {
                b.sendPriorityRequest(request);
                a.renew(won.epoch());
                return a.priorityRequests().contains(request);
              });
      LeaseRecord before = b.look();

      plain.command("ACL", "SETUSER", "elector", "-publish");
      b.sendPriorityRequest(request);

      assertThat(b.look().recordVersion().incarnation())
          .isEqualTo(before.recordVersion().incarnation());
      assertThat(b.look().isHeldBy("a", won.epoch())).isTrue();
    }
  }

  @Test
  void replacedPasswordIsUsedForTheNextConnection() throws Exception {
    AtomicReference<String> password = new AtomicReference<>(SECRET);
    allow(needed("+info"));
    RedisAccess access = site.access();
    RedisFixture changing =
        new RedisFixture(
            plain.adminPort(),
            new RedisAccess(
                access.address(),
                "elector",
                () -> Objects.requireNonNull(password.get()),
                null,
                true),
            plain.keys(),
            0);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection leader = changing.node(watch, "leader");
      assertThat(leader.awaitLeadership(RedisFixture.LONG)).isTrue();

      plain.command("ACL", "SETUSER", "elector", "resetpass", ">another-Word");
      password.set("another-Word");
      plain.command("CLIENT", "KILL", "USER", "elector");

      long renewed = leader.metrics().counts().renew().sum().toNanos();
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> leader.metrics().counts().renew().sum().toNanos() > renewed);
    }
  }

  @Test
  void nodeWithoutPubSubRightsPolls() throws Exception {
    allow(needed("+info"));
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection first = site.node(watch, "first");
      assertThat(first.awaitLeadership(RedisFixture.LONG)).isTrue();
      LeaderElection second = site.node(watch, "second");

      first.stepDown();

      assertThat(second.awaitLeadership(RedisFixture.LONG)).isTrue();
    }
  }

  @Test
  void connectionIdAndAgeReplaceInfoWithoutItsRight() {
    allow(needed());
    try (Claimant a = site.claimant("a");
        Claimant b = site.claimant("b")) {
      LeaseRecord ground = Claimant.shown(a.acquire(a.claim()));
      assertThat(ground.remaining()).isGreaterThan(RedisFixture.LEASE);
      assertThat(a.acquire(a.claim(ground.recordVersion())))
          .isInstanceOf(LeaseResponse.HeldByOther.class);
      Claimant.waitOut(ground);

      Granted won = Claimant.granted(a.acquire(a.claim(ground.recordVersion())));

      assertThat(a.renew(won.epoch())).isEqualTo(won);
      assertThat(b.look().recordVersion().incarnation()).isNotEqualTo(won.incarnation());
      plain.command("CLIENT", "KILL", "TYPE", "normal");
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> a.renew(won.epoch()) instanceof Granted); // Over a new connection.
      assertThat(a.release(won).released()).isFalse();
    }
  }

  @Test
  void missingRightIsReportedWithItsRemedy() {
    allow("+get");
    try (Claimant a = site.claimant("a")) {
      String why = ((LeaseResponse.Unknown) a.acquire(a.claim())).why();

      assertThat(why).contains("user elector", plain.keys().lease(), "docs/redis.md");
      assertThat(why).doesNotContain(SECRET);
    }
  }

  @Test
  void wrongPasswordIsReportedWithoutShowingIt() {
    allow(needed());
    RedisFixture wrong =
        plain.by("redis://elector:wrong-Word@127.0.0.1:" + SharedRedis.SERVER.port());
    try (Claimant a = wrong.claimant("a")) {
      String why = ((LeaseResponse.Unknown) a.acquire(a.claim())).why();

      assertThat(why).contains("user elector", "password").doesNotContain("wrong-Word");
    }
  }
}
