package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedisStoreCloseTest {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);

  @Test
  void closedStoreLeavesNoThreadsOrConnectionsAndIsUnknown() {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    Claimant a = site.claimant("a");
    a.lead();
    List<Thread> own = startedSince(before);
    assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);

    long closing = System.nanoTime();
    a.close();
    Duration took = Duration.ofNanos(System.nanoTime() - closing);

    assertThat(took).isLessThan(RedisFixture.STEADY_LEASE);
    assertThat(a.ask(new LeaseRequest.Look())).isInstanceOf(LeaseResponse.Unknown.class);
    await().atMost(RedisFixture.LONG).until(() -> own.stream().noneMatch(Thread::isAlive));
    assertThat(site.command("PUBSUB", "NUMSUB", site.keys().channel())).endsWith("0");
  }

  private static List<Thread> startedSince(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .filter(thread -> thread.getName().matches("portcullis-.*redis.*"))
        .toList();
  }

  @Test
  void openingAStoreDoesNotWaitForAnUnreachableServer() {
    long opening = System.nanoTime();
    Claimant a = site.by("redis://127.0.0.1:1").claimant("a");
    Duration took = Duration.ofNanos(System.nanoTime() - opening);

    try (a) {
      assertThat(took).isLessThan(RedisFixture.STEADY_LEASE);
      assertThat(((LeaseResponse.Unknown) a.ask(new LeaseRequest.Look())).why())
          .contains("redis://127.0.0.1:1");
    }
  }
}
