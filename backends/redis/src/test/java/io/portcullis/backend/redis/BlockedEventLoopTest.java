package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.election.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lettuce's event loop thread is blocked; the store enforces its deadlines on its own thread. */
class BlockedEventLoopTest {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);
  private final List<RedisLeaseStore> stores = new CopyOnWriteArrayList<>();
  private final CountDownLatch unblock = new CountDownLatch(1);
  private volatile boolean isBlocked;

  /** Keeps the stores that it opens. */
  private final TimedStoreFixture recording =
      new TimedStoreFixture() {
        @Override
        public Timing timing() {
          return site.timing();
        }

        @Override
        public Duration steadyLease() {
          return site.steadyLease();
        }

        @Override
        public LeaseStore open(ElectionConfig config) {
          RedisLeaseStore store = (RedisLeaseStore) site.open(config);
          stores.add(store);
          return store;
        }

        @Override
        public void wipe() {
          site.wipe();
        }
      };

  @AfterEach
  void unblock() {
    unblock.countDown();
  }

  private void block() {
    CountDownLatch blocked = new CountDownLatch(1);
    stores
        .get(0)
        .onEventLoop(
            () -> {
              isBlocked = true;
              blocked.countDown();
              try {
                awaitUninterrupted(unblock);
              } finally {
                isBlocked = false;
              }
            });
    awaitUninterrupted(blocked);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void blockedRequestIsUnknownAtItsDeadlineAndNeverSentLater() {
    try (Claimant a = recording.claimant("a", Duration.ofSeconds(1))) {
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
      Granted won = a.lead();
      String version = version();

      block();
      LeaseResponse answer = a.renew(won.epoch());

      assertThat(isBlocked).as("the answer did not wait for the event loop").isTrue();
      unblock.countDown();
      assertThat(((LeaseResponse.Unknown) answer).why()).contains("no answer within 1000 ms");
      await()
          .during(Duration.ofMillis(500))
          .atMost(RedisFixture.LONG)
          .until(() -> version().equals(version));
      assertThat(a.renew(won.epoch())).isInstanceOf(Granted.class);
    }
  }

  private String version() {
    return site.say("HGET", site.keys().record(), "version");
  }

  @Test
  void leaderWithBlockedEventLoopShutsItsGateInTime() throws Exception {
    try (ContenderPair pair = recording.pairWith(site)) {
      long epoch = pair.epoch();

      block();

      pair.awaitLeads(pair.second(), epoch);
      unblock.countDown();
    }
  }
}
