package io.portcullis.backend.redis;

import static io.portcullis.backend.redis.HostileRedis.MESSAGE;
import static io.portcullis.backend.redis.HostileRedis.SUBSCRIBED;
import static io.portcullis.backend.redis.HostileRedis.endlessly;
import static io.portcullis.backend.redis.HostileRedis.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.RedisStorePlan.RedisAccess;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.StoreFeatures.PriorityRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that refuse subscriptions or close connections, and how often a node tries again. */
class ConnectionLossTest {
  /** More than the subscriber opens in such a test; far fewer than an unlimited loop opens. */
  private static final int MAX_CONNECTIONS = 40;

  private HostileRedis redis;

  @BeforeEach
  void start() throws IOException {
    redis = new HostileRedis();
  }

  @AfterEach
  void stop() throws IOException {
    redis.close();
  }

  private RedisFixture site() {
    return site(RedisFixture.access("redis://127.0.0.1:" + redis.port()));
  }

  private static RedisFixture site(RedisAccess access) {
    return new RedisFixture(0, access, RedisFixture.newKeys(), 0);
  }

  private static LeaseResponse look(Claimant who) {
    return who.ask(new LeaseRequest.Look());
  }

  private static void awaitAnswer(Claimant who) {
    await().atMost(RedisFixture.LONG).until(() -> look(who) instanceof HeldByOther);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-ERR max number of clients reached\r\n",
        "-LOADING Redis is loading the dataset in memory\r\n",
        "-BUSY Redis is busy running a script\r\n",
        "-MASTERDOWN Link with MASTER is down\r\n",
        "$1000000000\r\n"
      })
  void refusedSubscriptionIsSentAgain(String refusal) {
    redis.answersSubscriptions(saying(refusal));
    try (Claimant a = site().claimant("a")) {
      await().atMost(RedisFixture.LONG).until(() -> redis.subscriptions() >= 2);
      assertThat(a.hints()).isZero();

      redis.answersSubscriptions(saying(SUBSCRIBED));

      await().atMost(RedisFixture.LONG).until(() -> a.hints() > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-NOPERM this user has no permissions to run the 'subscribe' command\r\n",
        "-ERR unknown command `SUBSCRIBE`, with args beginning with: `c`, \r\n"
      })
  void forbiddenSubscriptionIsNotSentAgain(String refusal) {
    redis.answersSubscriptions(saying(refusal));
    try (Claimant a = site().claimant("a")) {
      awaitAnswer(a);
      await().atMost(RedisFixture.LONG).until(() -> redis.subscriptions() == 1);

      await()
          .during(Duration.ofSeconds(1))
          .atMost(RedisFixture.LONG)
          .until(() -> redis.subscriptions() == 1);
      assertThat(look(a)).isInstanceOf(HeldByOther.class);
    }
  }

  @Test
  void endlessMessagesHinderNoRequest() {
    redis.answersSubscriptions(endlessly(SUBSCRIBED, MESSAGE));
    try (Claimant a = site().claimant("a")) {
      awaitAnswer(a);
      await().atMost(RedisFixture.LONG).until(() -> a.hints() > 1);

      for (int i = 0; i < 20; i++) {
        assertThat(look(a)).isInstanceOf(HeldByOther.class);
      }
    }
  }

  @Test
  void requestGivesUpAfterAFewClosedConnections() throws IOException {
    try (RedisLeaseStore store = storeWithSlowEventLoop()) {
      redis.closeEachConnection();

      for (int i = 0; i < 5; i++) {
        assertThat(look(store)).isInstanceOf(LeaseResponse.Unknown.class);
      }

      assertThat(redis.connections()).isLessThan(MAX_CONNECTIONS);
    }
  }

  @Test
  void priorityRequestGivesUpAfterAFewClosedConnections() throws IOException {
    try (RedisLeaseStore store = storeWithSlowEventLoop()) {
      redis.closeEachConnection();

      for (int i = 0; i < 5; i++) {
        store.sendPriorityRequest(new PriorityRequest("a", 5, 7, Duration.ofMinutes(i)));
      }

      await()
          .during(Duration.ofSeconds(3))
          .atMost(RedisFixture.LONG)
          .until(() -> redis.connections() < MAX_CONNECTIONS);
    }
  }

  /** A store that notices a closed connection before it sends anything on it. */
  private RedisLeaseStore storeWithSlowEventLoop() {
    RedisFixture site = site();
    RedisLeaseStore store =
        (RedisLeaseStore)
            site.open(new ElectionConfig("contract", "writer", "a", null, site.steadyTiming()));
    await().atMost(RedisFixture.LONG).until(() -> look(store) instanceof HeldByOther);
    slowDown(store);
    return store;
  }

  private static void slowDown(RedisLeaseStore store) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    store.onEventLoop(() -> slowDown(store));
  }

  private static LeaseResponse look(RedisLeaseStore store) {
    return Claimant.answerTo(store.ask(new LeaseRequest.Look()));
  }

  /** The file may be on a mount that hangs. */
  @Test
  void unreadablePasswordDelaysNoDeadline() throws IOException {
    CountDownLatch hanging = new CountDownLatch(1);
    RedisAccess plain = RedisFixture.access("redis://127.0.0.1:" + redis.port());
    RedisAccess access = new RedisAccess(plain.address(), null, () -> awaited(hanging), null, true);
    try (Claimant a = site(access).claimant("a", Duration.ofMillis(500))) {
      for (int i = 0; i < 4; i++) {
        assertThat(look(a)).isInstanceOf(LeaseResponse.Unknown.class);
      }
      hanging.countDown();
    }
  }

  private static String awaited(CountDownLatch latch) {
    try {
      latch.await();
      return "secret";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
