package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedisStoreCloseTest {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);

  @Test
  void closedStoreLeavesNoThreadsOrConnectionsAndIsUnknown() {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    Claimant a = site.outlastingClaimant("a");
    assertThat(a.ask(new LeaseRequest.Look())).isNotInstanceOf(LeaseResponse.Unknown.class);
    List<Thread> own = startedSince(before);
    assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);

    assertTimeoutPreemptively(RedisFixture.LONG, a::close);

    assertThat(a.ask(new LeaseRequest.Look())).isInstanceOf(LeaseResponse.Unknown.class);
    await().atMost(RedisFixture.LONG).until(() -> own.stream().noneMatch(Thread::isAlive));
    assertThat(site.say("PUBSUB", "NUMSUB", site.keys().channel())).endsWith("0");
  }

  private static List<Thread> startedSince(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .filter(thread -> thread.getName().matches("portcullis-.*redis.*"))
        .toList();
  }

  @Test
  void openingAStoreDoesNotWaitForAnUnreachableServer() {
    RedisFixture nowhere = site.by("redis://127.0.0.1:1");

    assertTimeoutPreemptively(
        RedisFixture.LONG, () -> nowhere.outlastingClaimant("patient").close());

    try (Claimant a = nowhere.claimant("a")) {
      assertThat(((LeaseResponse.Unknown) a.ask(new LeaseRequest.Look())).why())
          .contains("redis://127.0.0.1:1");
    }
  }
}
