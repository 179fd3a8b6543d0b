package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Other programs change or delete the election's data in Redis. */
@Tag("slow")
class RedisTamperingTest {
  private static final Duration A_WHILE = Duration.ofSeconds(4);

  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);
  private final Claimant a = site.claimant("a");
  private final Claimant b = site.claimant("b");

  @AfterEach
  void close() {
    a.close();
    b.close();
  }

  /**
   * A lease whose end the test waits for, long enough that it has not ended before the first
   * request.
   */
  private Granted leadForAWhile() {
    Granted won = a.lead();
    Claimant.granted(a.renew(won.epoch(), A_WHILE));
    return won;
  }

  @Test
  void deletedKeyIsHeldUntilItsRecordExpires() {
    Granted won = leadForAWhile();
    site.command("DEL", site.keys().lease());

    LeaseRecord shown = Claimant.shown(b.acquire(b.claim(b.look().recordVersion())));

    assertThat(shown.isHeldBy("a", won.epoch())).isTrue();
    assertThat(shown.remaining()).isPositive();
    LeaseResponse renewal = a.renew(won.epoch());
    assertThat(Claimant.shown(renewal).isHeldBy("a", won.epoch())).isTrue();
    assertThat(site.command("EXISTS", site.keys().lease())).isEqualTo("0");
    Claimant.waitOut(shown);
    Granted next = Claimant.granted(b.acquire(b.claim(shown.recordVersion())));
    assertThat(next.epoch()).isEqualTo(won.epoch() + 1);
  }

  @Test
  void deletedRecordIsHeldUntilItsKeyExpires() {
    Granted won = leadForAWhile();
    site.command("DEL", site.keys().record());

    LeaseRecord shown = Claimant.shown(b.acquire(b.claim()));

    assertThat(shown.isHeldBy("a", won.epoch())).isTrue();
    assertThat(shown.remaining()).isPositive().isLessThan(A_WHILE.plusMillis(100));
    assertThat(a.renew(won.epoch())).isInstanceOf(LeaseResponse.HeldByOther.class);
    assertThat(site.command("EXISTS", site.keys().record())).isEqualTo("0");
    Claimant.waitOut(shown);
    LeaseRecord ground =
        Claimant.shown(b.acquire(b.claim(shown.recordVersion(), won.epoch(), null)));
    assertThat(ground.holder()).isEmpty();
    assertThat(ground.lease()).isEqualTo(RedisFixture.STEADY_LEASE);
    assertThat(ground.epoch()).isGreaterThanOrEqualTo(won.epoch());
  }

  @Test
  void foreignLockAtTheKeyIsRespectedUntilItExpires() {
    site.command("SET", site.keys().lease(), "legacy-instance-7", "PX", "" + A_WHILE.toMillis());

    LeaseRecord shown = Claimant.shown(a.acquire(a.claim()));

    assertThat(shown.holder()).isEqualTo("legacy-instance-7");
    assertThat(shown.remaining()).isPositive().isLessThan(A_WHILE.plusMillis(100));
    Claimant.waitOut(shown);
    assertThat(a.lead().epoch()).isPositive();
  }

  @Test
  void keyThatNeverExpiresIsHeldForTheLongestLeaseAtLeast() {
    site.command("SET", site.keys().lease(), "forever");

    LeaseRecord shown = Claimant.shown(a.acquire(a.claim()));
    LeaseResponse again = a.acquire(a.claim(shown.recordVersion()));

    assertThat(shown.remaining()).isEqualTo(RedisFixture.STEADY_LEASE);
    assertThat(Claimant.shown(again).holder()).isEqualTo("forever");
  }

  @Test
  void keyOfAnotherTypeIsUnknownAndReported() {
    site.command("RPUSH", site.keys().lease(), "x");

    LeaseResponse answer = a.acquire(a.claim());

    assertThat(((LeaseResponse.Unknown) answer).why())
        .contains(site.keys().lease(), site.keys().record(), "redis.key");
  }

  @Test
  void invalidRecordIsUnknown() {
    a.release(a.lead());
    site.command("HSET", site.keys().record(), "epoch", "99999999999999999999");

    LeaseResponse answer = b.acquire(b.claim());

    assertThat(((LeaseResponse.Unknown) answer).why())
        .contains(site.keys().record(), "can't be right");
  }

  @Test
  void invalidLeaseLengthIsUnknown() {
    a.lead();
    site.command("HSET", site.keys().record(), "lease_ms", "99999999999999");

    LeaseResponse answer = b.ask(new LeaseRequest.Look());

    assertThat(((LeaseResponse.Unknown) answer).why()).contains("is invalid");
  }

  @Test
  void recordMatchesTheDocumentation() {
    Granted won = a.lead();

    assertThat(site.command("GET", site.keys().lease())).isEqualTo("a:" + won.epoch());
    assertThat(Long.parseLong(site.command("PTTL", site.keys().lease())))
        .isBetween(1L, RedisFixture.STEADY_LEASE.toMillis());
    assertThat(site.command("HGET", site.keys().record(), "holder")).isEqualTo("a");
    assertThat(site.command("HGET", site.keys().record(), "lease_ms"))
        .isEqualTo("" + RedisFixture.STEADY_LEASE.toMillis());
    assertThat(site.command("HGET", site.keys().record(), "released")).isEqualTo("0");
    assertThat(site.command("HGET", site.keys().record(), "address")).isEqualTo("http://a:8080");
    assertThat(site.command("PTTL", site.keys().record())).isEqualTo("-1");
  }

  @Test
  void flushedScriptIsLoadedAgainWithinTheSameRequest() {
    Granted won = a.lead();
    site.command("SCRIPT", "FLUSH");

    assertThat(a.renew(won.epoch())).isEqualTo(won);
  }

  @Test
  void killedConnectionIsReplacedByTheNextRequest() {
    Granted won = a.lead();
    site.command("CLIENT", "KILL", "TYPE", "normal");

    await().atMost(RedisFixture.LONG).until(() -> a.renew(won.epoch()).equals(won));
  }

  @Test
  void onlyTheDatabaseOfTheUriIsUsed() {
    RedisFixture seven = RedisFixture.at(SharedRedis.SERVER, SharedRedis.SERVER.uri() + "/7");
    try (Claimant there = seven.claimant("there")) {
      there.lead();

      assertThat(seven.command("EXISTS", seven.keys().lease(), seven.keys().record()))
          .isEqualTo("0");
      assertThat(seven.command("INFO", "keyspace")).contains("db7:");
    }
  }
}
