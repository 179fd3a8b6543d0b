package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.ElectionListener;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.LeaderElection.LeaderScope;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.machine.LossReason;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * From failed renewals to the release: the leader retries, steps down, and deletes its key, unless
 * another node owns it by then. Work in flight delays the release until the test has looked, and
 * the lease is kept until then.
 */
class RedisStepDownTest {
  private static final RedisServer SERVER = SharedRedis.SERVER;

  /** Long enough that the key does not expire before the test has read it. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final TcpProxy proxy = TcpProxy.to(SERVER.host(), SERVER.port());
  private final String key = "test:" + UUID.randomUUID();
  private final String record = "{" + key + "}:lease";
  private final AtomicReference<LossReason> loss = new AtomicReference<>();
  private LeaderElection leader;
  private LeaderScope work;

  @BeforeEach
  void leadUntilRenewalsFail() throws Exception {
    RedisFixture.grown(SERVER, LEASE);
    StorePlan lease =
        RedisLease.builder()
            .uri("redis://" + proxy.host() + ":" + proxy.port())
            .key(key)
            .lease(LEASE)
            .renew(Duration.ofSeconds(1))
            .retry(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400))
            .askTimeout(Duration.ofSeconds(2))
            .drain(Duration.ofMinutes(2))
            .build();
    leader = LeaderElection.on(lease).identity("a").listener(recordLoss()).start();
    assertThat(leader.awaitLeadership(RedisFixture.LONG)).isTrue();
    work = leader.enter();

    proxy.dropSilently();

    await().atMost(RedisFixture.LONG).until(() -> !leader.isLeader());
    assertThat(command("GET", key)).as("not released yet").isEqualTo("a:" + work.epoch());
    long left = remainingMillis();
    assertThat(left).as("not expired").isPositive();
    proxy.heal();
    await().atMost(RedisFixture.LONG).until(() -> remainingMillis() > left); // Connected again.
  }

  private long remainingMillis() {
    return Long.parseLong(command("PTTL", key));
  }

  private ElectionListener recordLoss() {
    return new ElectionListener() {
      @Override
      public void stoppedLeading(long epoch, LossReason reason, String why) {
        loss.set(reason);
      }
    };
  }

  @AfterEach
  void close() {
    leader.close();
    proxy.close();
  }

  @Test
  void leaderWhoseRetriesFailedDeletesItsKey() {
    work.close();

    await().atMost(RedisFixture.LONG).until(() -> loss.get() != null);
    assertThat(loss.get()).isEqualTo(LossReason.RENEWAL_FAILED);
    assertThat(command("GET", key)).isEqualTo("(nil)");
    assertThat(command("HGET", record, "released")).isEqualTo("1");
  }

  @Test
  void keyOfAnotherOwnerIsKept() {
    command("SET", key, "b:" + (work.epoch() + 1), "PX", "60000");

    work.close();

    await().atMost(RedisFixture.LONG).until(() -> loss.get() != null);
    assertThat(command("GET", key)).isEqualTo("b:" + (work.epoch() + 1));
  }

  private static String command(String... words) {
    return RedisCli.command(SERVER, words);
  }
}
